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
/** The longest loop that a run may have. */
const TURNS = [1_000, 10_000];
const QUESTIONS = 2_000;
/** Turns that are looked at together: the first of them are over by then, and the code is compiled. */
const STRETCH = 200;
const FIRST = 100;

/** A block that repeats and appends 2 kB a turn to a channel, and one that asks: what is kept of it, and what a turn costs early and late. */
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
    for (const [where, open, policy] of [
      ["memory store", () => memoryStore()],
      ["filesystem, `sync`", filesystemStore, { durability: "sync" }],
    ]) {
      const work = async (directory) => {
        await timeTurns(turns, open(directory), policy);
        return turnTimes;
      };
      lines.push(await lineOf(`the last turns of ${loop}, ${where}, per turn`, work, samples));
    }
  }
  const asking = `the last turns of a loop of ${QUESTIONS.toLocaleString("en")} questions, memory store, per answer`;
  lines.push(await lineOf(asking, timeAnswers, samples));
  return lines;
}

/**
 * How long turns took at the end, beside those at the beginning. `work` gives when each of them began. Of a stretch the turn in the middle counts: in memory all 200
 * take some 4 ms, so one pause of the garbage collector, or another process that has the core, would double their mean. What grows with the loop grows in every turn.
 */
async function lineOf(what, work, samples) {
  const [early, late] = [[], []];
  const play = {
    name: "loop",
    prepare: () => newDirectory("loop"),
    async run(directory) {
      const times = await work(directory);
      const over = (from, to) => summaryOf(times.slice(from, to).map((began, i) => times[from + i + 1] - began)).median * MICROSECONDS;
      early.push(over(FIRST, FIRST + STRETCH));
      late.push(over(times.length - 1 - STRETCH, times.length - 1));
    },
    finish: removeDirectory,
  };
  await interleave([play], { samples });
  return line({
    what,
    unit: "µs",
    ours: summaryOf(late),
    reference: summaryOf(early),
    referenceName: `turns ${FIRST} to ${FIRST + STRETCH}`,
    bar: "≤ 1.5 × the first ones",
    met: ({ reference }) => reference <= 1.5,
  });
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

async function timeTurns(turns, store, policy) {
  const workflow = workflowOf(turns);
  turnTimes.length = 0;
  const executor = executorFor(store, workflow, { policy });
  await runThrough(executor, workflow);
  await executor.close();
}

/** When each of the questions was answered. */
async function timeAnswers() {
  const repeatWhile = `\${blocks.ask.metadata.iterations} < ${QUESTIONS}`;
  const ask = { id: "ask", type: "Question", inputs: { prompt: "Next?" }, repeatWhile, maxIterations: QUESTIONS };
  const workflow = { name: "questions", blocks: [ask] };
  const executor = executorFor(memoryStore(), workflow);
  let result = await runThrough(executor, workflow);
  const run = await executor.open(result.run);
  const times = [];
  while (result.status === "paused") {
    times.push(performance.now());
    result = await run.answer(result.pauses[0].id, "go on");
  }
  await executor.close();
  return times;
}

function summaryOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], min: sorted[0], samples: sorted.length };
}
