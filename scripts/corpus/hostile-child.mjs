/**
 * Judges hostile inputs one by one, in a process of its own: what hangs, runs out of memory or dies takes this process with it and nothing
 * else. Told by messages what to judge; gives back the verdict.
 */
import "./run-from-source.mjs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const { judgeHostile } = await import("../../test/corpus/hostile-runner/judge.ts");
const { openNodeJournals } = await import("../../test/corpus/hostile-runner/node-journals.ts");
const { openNodeSite } = await import("../../test/corpus/hostile-runner/node-site.ts");
const { showInTerminal } = await import("../../test/corpus/hostile-runner/show-in-terminal.ts");
const { memoryStore } = await import("wavepoint/store/memory");
const { filesystemStore } = await import("wavepoint/store/filesystem");

function wallClock() {
  const started = performance.now();
  return () => performance.now() - started;
}

/** A machine that is busy with something else makes no verdict slow: of wall time and CPU time the smaller counts. */
function stopwatch() {
  const started = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - started, (user + system) / 1_000);
  };
}

const root = await mkdtemp(join(tmpdir(), "wavepoint-hostile-"));
let opened = 0;
const options = {
  stopwatch,
  wallClock,
  openSite: openNodeSite,
  openJournals: openNodeJournals,
  showPrompt: showInTerminal,
  platform: process.platform,
  stores: [async () => memoryStore(), async () => filesystemStore(join(root, String((opened += 1))))],
};

process.on("message", async ({ input, content }) => {
  let verdict;
  try {
    verdict = await judgeHostile(input, content, options);
  } catch (error) {
    verdict = {
      status: "failed",
      expected: "nothing but errors of the package",
      actual: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
  process.send(verdict);
});
process.on("disconnect", async () => {
  await rm(root, { recursive: true, force: true });
  process.exit(0);
});
process.send("ready");
