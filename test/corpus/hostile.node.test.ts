import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { filesystemStore } from "wavepoint/store/filesystem";
import { GENERATED_WORKFLOWS, restoreLongTexts } from "./hostile/generate.ts";
import manifest from "./hostile/manifest.json" with { type: "json" };
import { judgeHostile } from "./hostile-runner/judge.ts";
import { openNodeJournals } from "./hostile-runner/node-journals.ts";
import { openNodeSite } from "./hostile-runner/node-site.ts";
import { showInTerminal } from "./hostile-runner/show-in-terminal.ts";
import type { HostileInput } from "./hostile-runner/verdict.ts";

const inputs: readonly HostileInput[] = manifest.inputs;
const corpus = fileURLToPath(new URL("./hostile/", import.meta.url));
const root = await mkdtemp(join(tmpdir(), "wavepoint-hostile-"));
let opened = 0;
afterAll(() => rm(root, { recursive: true, force: true }));

async function readContent(input: HostileInput): Promise<unknown> {
  const text = GENERATED_WORKFLOWS.get(input.file)?.() ?? (await readFile(join(corpus, input.file), "utf8"));
  if (input.row === undefined) return text;
  return (restoreLongTexts(JSON.parse(text)) as { readonly rows: readonly unknown[] }).rows[input.row];
}

it("finds the hostile inputs", () => {
  expect(inputs.length).toBeGreaterThan(150);
});

// How long each verdict takes is looked at by `npm run hostile`; here no time passes.
describe("S7, S11, S13: hostile inputs get the expected verdict", () => {
  it.each(inputs)("$id: $attack", async (input) => {
    const stores = [async () => memoryStore(), async () => filesystemStore(join(root, String((opened += 1))))];
    const verdict = await judgeHostile(input, await readContent(input), {
      stopwatch: () => () => 0,
      platform: process.platform,
      stores,
      openSite: openNodeSite,
      openJournals: openNodeJournals,
      showPrompt: showInTerminal,
    });
    expect(verdict.status === "failed" ? verdict : "no failure").toBe("no failure");
    // What cannot be tried yet is known; nothing else is left out.
    if (verdict.status === "not-applicable") expect(input.platform ?? input.kind).toMatch(/^(?:win32|mcp)$/);
  });
});
