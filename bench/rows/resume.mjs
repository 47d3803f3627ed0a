import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave, STOPPED } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { interruptRun, resumeInterrupted } from "../subjects/interrupted.mjs";
import { interruptMachine, resumeMachine } from "../subjects/interrupted-xstate.mjs";

const CHILD = fileURLToPath(new URL("../fresh-process.mjs", import.meta.url));
const STEPS = 100;
const SHORT = 1_000;
const BAR_MS = 1;

/** From opening the store until the next block of a run that was interrupted starts. */
export async function measure({ samples, sizes }) {
  const lines = [];
  const short = await measureSize(STEPS, { samples, withPeer: true });
  const shared = { unit: "ms", bar: `≤ ${BAR_MS} ms`, met: ({ ours }) => ours <= BAR_MS };
  lines.push(
    line({
      ...shared,
      what: `fresh process, resume → next step, run of ${STEPS} steps, filesystem`,
      ours: short.process,
      peer: short.peerProcess,
    }),
    line({ ...shared, what: "the same, fresh executor and store in a warm process", ours: short.warm, peer: short.peerWarm }),
  );
  const thousand = await measureSize(SHORT, { samples, withPeer: false });
  const long = sizes.at(-1);
  const most = await measureSize(long, { samples, withPeer: false });
  lines.push(
    line({
      what: `resume → next step, run of ${long.toLocaleString("en")} steps, definition loaded`,
      unit: "ms",
      ours: most.loaded,
      reference: thousand.loaded,
      referenceName: `run of ${SHORT.toLocaleString("en")}`,
      peer: STOPPED,
      bar: "≤ 2 × run of 1,000",
      met: ({ reference }) => reference <= 2,
    }),
  );
  return lines;
}

async function measureSize(steps, { samples, withPeer }) {
  const directory = newDirectory("ours");
  const run = await interruptRun(directory, steps);
  const snapshot = join(directory, "xstate.json");
  if (withPeer) writeFileSync(snapshot, await interruptMachine(steps));
  const inProcess = async (...args) => Number((await promisify(execFile)(process.execPath, [CHILD, ...args.map(String)])).stdout);
  const times = await interleave(
    [
      { name: "warm", run: () => resumeInterrupted(directory, { run, steps, load: false }) },
      { name: "loaded", run: () => resumeInterrupted(directory, { run, steps, load: true }) },
      ...(withPeer
        ? [
            { name: "process", run: () => inProcess("ours", directory, steps, run) },
            { name: "peerProcess", run: () => inProcess("xstate", snapshot, steps) },
            { name: "peerWarm", run: () => resumeMachine(snapshot, steps) },
          ]
        : []),
    ],
    { samples, warmups: 2 },
  );
  removeDirectory(directory);
  return times;
}
