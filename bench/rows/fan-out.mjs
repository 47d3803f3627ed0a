import { divide, interleave, STOPPED, willTakeTooLong } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { timeTwice } from "../harness/time-twice.mjs";
import { openEffectFan } from "../subjects/effect.mjs";
import { openMastraFan } from "../subjects/mastra.mjs";
import { executorFor, fanWorkflow, runThrough } from "../subjects/ours.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";
import { fanMachine, runMachine, snapshotText } from "../subjects/xstate.mjs";

/** The width the bar speaks of, and at which more peers stand beside it. */
const JUDGED = 1_000;
const BAR_MS = 5;
const WARMUPS = 5;
/** So many follow one another in a sample of compiled code. */
const IN_A_ROW = 20;
/** Saving a snapshot of `n` regions after each of `n` steps: ten times the width takes a hundred times as long. */
const XSTATE_GROWTH = 100;

const PEERS = [
  ["effect", "Effect 4, workflow in memory", openEffectFan],
  ["mastra", "Mastra 0.24, without a store", openMastraFan],
];

/** One block, many that run together, one that waits for all of them; on the memory store. */
export async function measure({ sizes, samples }) {
  const lines = [];
  let slow = false;
  for (const size of sizes) {
    const subjects = [
      ours("ours", "Noop", size),
      ours("ours async", "NoopAsync", size),
      { name: "all", run: () => promiseAll(size) },
      ...(slow ? [] : [xstate(size)]),
      ...(size === JUDGED ? [inARow("NoopAsync", size)] : []),
      ...(size === JUDGED ? await Promise.all(PEERS.map(async ([name, , openFan]) => ({ name, ...(await openFan(size)) }))) : []),
    ];
    const times = await interleave(subjects, { samples, warmups: WARMUPS });
    for (const [name, suffix] of [
      ["ours", ""],
      ["ours async", ", `async execute`"],
    ]) {
      lines.push(
        line({
          what: `fan-out 1 → ${size.toLocaleString("en")} → 1, memory store${suffix}`,
          unit: "ms",
          ours: times[name],
          reference: times.all,
          referenceName: "Promise.all",
          peer: times.xstate ?? STOPPED,
          ...(size === JUDGED
            ? {
                bar: `≤ ${BAR_MS} ms`,
                met: ({ ours: median }) => median <= BAR_MS,
                readme: `1 → ${JUDGED.toLocaleString("en")} → 1 blocks, memory${suffix}`,
              }
            : {}),
        }),
      );
    }
    if (size === JUDGED) {
      lines.push(
        line({
          what: `fan-out 1 → ${size.toLocaleString("en")} → 1, memory store, \`async execute\`, ${IN_A_ROW} in a row, each`,
          unit: "ms",
          ours: divide(times["in a row"], IN_A_ROW),
          bar: `≤ ${BAR_MS} ms`,
          met: ({ ours: median }) => median <= BAR_MS,
        }),
      );
    }
    for (const [name, peerName] of size === JUDGED ? PEERS : []) {
      lines.push(
        line({
          what: `fan-out 1 → ${size.toLocaleString("en")} → 1, memory store, \`async execute\``,
          unit: "ms",
          ours: times["ours async"],
          peer: times[name],
          peerName,
          readme: "the same",
        }),
      );
    }
    slow ||= willTakeTooLong(times.xstate, XSTATE_GROWTH);
  }
  return lines;
}

function ours(name, type, size) {
  const workflow = fanWorkflow(size, { first: "Noop", type, last: "Noop" });
  return {
    name,
    async prepare() {
      const executor = executorFor(memoryStore(), workflow);
      await executor.load(workflow);
      return executor;
    },
    run: (executor) => runThrough(executor, workflow),
    finish: (executor) => executor.close(),
  };
}

/** Many in a row, and the same once more, which is timed: then its code is compiled. */
function inARow(type, size) {
  const { run, ...subject } = ours("in a row", type, size);
  const many = async (executor) => {
    for (let i = 0; i < IN_A_ROW; i++) await run(executor);
  };
  return { ...subject, run: (executor) => timeTwice(() => many(executor)) };
}

function xstate(size) {
  const machine = fanMachine(size, { keepAll: false, work: async () => ({ ok: true }) });
  const store = new Map();
  return { name: "xstate", run: () => runMachine(machine, (actor) => store.set("run", snapshotText(actor))) };
}

async function promiseAll(size) {
  const noop = async () => ({ ok: true });
  const results = new Map();
  results.set("first", await noop());
  const inner = await Promise.all(Array.from({ length: size }, noop));
  inner.forEach((result, index) => results.set(index, result));
  results.set("last", await noop());
}
