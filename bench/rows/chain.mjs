import { divide, interleave, STOPPED, willTakeTooLong } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { timeTwice } from "../harness/time-twice.mjs";
import { chainWorkflow, executorFor, runThrough } from "../subjects/ours.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";
import { chainMachine, runMachine, snapshotText } from "../subjects/xstate.mjs";

const MICROSECONDS = 1_000;
/** Short runs are repeated until about so many steps were done, so that what is timed is compiled code, on both sides. */
const STEPS_A_SAMPLE = 20_000;
const WARMUPS = 1;
/** Ten times the steps take about ten times as long. */
const XSTATE_GROWTH = 10;
/** The sizes that the README shows. */
const SHOWN = [1_000, 100_000];
/** How much more a block of the longest run may cost than one of the shortest. */
const FLAT = 1.5;

/** Chains of blocks that do nothing, on the memory store: what the engine itself costs for each block. */
export async function measure({ sizes, samples }) {
  const lines = [];
  const growth = new Map();
  let slow = false;
  for (const size of sizes) {
    const repeats = Math.max(1, Math.floor(STEPS_A_SAMPLE / size));
    const machine = slow ? undefined : chainMachine(Array(size).fill("work"), { keepAll: false, work: async () => ({ ok: true }) });
    const subjects = [
      ours("ours", "Noop", size, repeats),
      ours("ours async", "NoopAsync", size, repeats),
      { name: "loop", run: () => timeTwice(() => repeat(repeats, () => loopSync(size))) },
      { name: "loop async", run: () => timeTwice(() => repeat(repeats, () => loopAsync(size))) },
      ...(machine ? [xstate(machine, repeats)] : []),
    ];
    const times = await interleave(subjects, { samples, warmups: WARMUPS });
    const perStep = (name) => divide(times[name], (size * repeats) / MICROSECONDS);
    const peer = machine ? perStep("xstate") : STOPPED;
    for (const [kind, suffix] of [
      ["", ""],
      [" async", ", `async execute`"],
    ]) {
      const summary = perStep(`ours${kind}`);
      growth.set(kind, [...(growth.get(kind) ?? []), summary]);
      lines.push(
        line({
          what: `chain of ${size.toLocaleString("en")} no-op blocks, memory store${suffix}, per block`,
          unit: "µs",
          ours: summary,
          reference: perStep(`loop${kind}`),
          referenceName: kind ? "loop that awaits" : "loop",
          peer,
          bar: "≤ 0.1 × XState",
          met: ({ peer: ratio }) => ratio <= 0.1,
          readme: SHOWN.includes(size),
        }),
      );
    }
    slow ||= willTakeTooLong(divide(times.xstate, repeats), XSTATE_GROWTH);
  }
  for (const [kind, name] of [
    ["", "no-op blocks"],
    [" async", "no-op blocks with `async execute`"],
  ]) {
    const list = growth.get(kind);
    lines.push(
      line({
        what: `growth: ${name}, ${sizes.at(-1).toLocaleString("en")} against ${sizes[0].toLocaleString("en")}, per block`,
        unit: "µs",
        ours: list.at(-1),
        reference: list[0],
        referenceName: `chain of ${sizes[0]}`,
        bar: `flat (≤ ${FLAT} ×)`,
        met: ({ reference }) => reference <= FLAT,
      }),
    );
  }
  return lines;
}

async function repeat(times, action) {
  for (let i = 0; i < times; i++) await action();
}

function ours(name, type, size, repeats) {
  const workflow = chainWorkflow(Array(size).fill(type));
  return {
    name,
    async prepare() {
      const executor = executorFor(memoryStore(), workflow);
      await executor.load(workflow);
      return executor;
    },
    run: (executor) => timeTwice(() => repeat(repeats, () => runThrough(executor, workflow))),
    finish: (executor) => executor.close(),
  };
}

function xstate(machine, repeats) {
  return {
    name: "xstate",
    run: () =>
      timeTwice(() =>
        repeat(repeats, () => {
          const store = new Map();
          return runMachine(machine, (actor) => store.set("run", snapshotText(actor)));
        }),
      ),
  };
}

const noop = () => ({ ok: true });
const noopAsync = async () => ({ ok: true });

function loopSync(size) {
  const results = new Map();
  for (let i = 0; i < size; i++) results.set(i, noop());
  if (results.size !== size) throw new Error("The loop was left out.");
}

async function loopAsync(size) {
  const results = new Map();
  for (let i = 0; i < size; i++) results.set(i, await noopAsync());
  if (results.size !== size) throw new Error("The loop was left out.");
}
