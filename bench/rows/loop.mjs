import { join } from "node:path";
import { directoryBytes, newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { executorFor, runThrough, turnTimes } from "../subjects/ours.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";

const KILOBYTE = 1_000;
const MICROSECONDS = 1_000;
const TURN_BYTES = 2_000;
/** A run may repeat blocks 10,000 times. */
const TURNS = [1_000, 9_000];
/** Turns that are looked at together: the first of them are over by then, and the code is compiled. */
const STRETCH = 200;
const FIRST = 100;

/** A block that repeats and appends 2 kB a turn to a channel: what is kept of it, and what a turn costs early and late. */
export async function measure({ samples }) {
  const lines = [];
  for (const turns of TURNS) {
    const loop = `a loop of ${turns.toLocaleString("en")} turns that append 2 kB to a channel`;
    const figure = (bytes) => ({ median: bytes / KILOBYTE, min: bytes / KILOBYTE, samples: 1 });
    lines.push(
      line({
        what: `bytes kept, filesystem, ${loop}`,
        unit: "kB",
        ours: figure(await bytesOf(turns)),
        reference: figure(turns * TURN_BYTES),
        referenceName: "payload",
        bar: "≤ 1.2 × payload",
        met: ({ reference }) => reference <= 1.2,
      }),
    );
    const times = { early: [], late: [] };
    const play = { name: "loop", run: () => timeTurns(turns, times) };
    await interleave([play], { samples });
    lines.push(
      line({
        what: `the last turns of ${loop}, memory store, per turn`,
        unit: "µs",
        ours: summaryOf(times.late),
        reference: summaryOf(times.early),
        referenceName: `turns ${FIRST} to ${FIRST + STRETCH}`,
        bar: "≤ 1.5 × the first ones",
        met: ({ reference }) => reference <= 1.5,
      }),
    );
  }
  return lines;
}

function workflowOf(turns) {
  return {
    name: "loop",
    channels: { log: { reduce: "append" }, turns: { reduce: "sum" } },
    blocks: [{ id: "turn", type: "Turn", inputs: { turns, bytes: TURN_BYTES }, maxIterations: turns }],
  };
}

async function bytesOf(turns) {
  const directory = newDirectory("loop");
  const workflow = workflowOf(turns);
  const executor = executorFor(filesystemStore(directory), workflow);
  await runThrough(executor, workflow);
  await executor.close();
  const bytes = directoryBytes(directory) - directoryBytes(join(directory, "blobs"));
  removeDirectory(directory);
  return bytes;
}

async function timeTurns(turns, times) {
  const workflow = workflowOf(turns);
  turnTimes.length = 0;
  const executor = executorFor(memoryStore(), workflow);
  await runThrough(executor, workflow);
  await executor.close();
  const over = (from, to) => ((turnTimes[to] - turnTimes[from]) / (to - from)) * MICROSECONDS;
  times.early.push(over(FIRST, FIRST + STRETCH));
  times.late.push(over(turns - 1 - STRETCH, turns - 1));
  return 0;
}

function summaryOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], min: sorted[0], samples: sorted.length };
}
