import { noise, payload, prose } from "./payload.mjs";
import { createExecutor, defineBlock, pause, success } from "./wavepoint.mjs";

/** The longest rows hold more than a run may, where its policy says nothing. */
const NO_LIMIT = 1_000_000_000;

let produced = 0;

/** When a `Gate` last asked its question, when the first `Payload` block since a reset started, and when a `Hang` block last did. */
export const seen = { askedAt: 0, payloadAt: 0, hangAt: 0 };

/** When each execution of a `Turn` block began. */
export const turnTimes = [];

/** Told when a `Hang` block starts. */
let onHang = () => {};

const BLOCKS = [
  defineBlock({ type: "Noop", execute: () => success({ ok: true }) }),
  defineBlock({ type: "NoopAsync", execute: async () => success({ ok: true }) }),
  defineBlock({
    type: "Payload",
    execute: () => {
      seen.payloadAt ||= performance.now();
      return success({ data: payload(produced++) });
    },
  }),
  defineBlock({
    type: "Gate",
    execute: () => {
      seen.askedAt = performance.now();
      return pause({ prompt: "Go on?" });
    },
    resume: () => success({}),
  }),
  defineBlock({
    type: "Loop",
    execute: ({ inputs, carried = 1, nextIteration }) => (carried < inputs.times ? nextIteration(carried + 1) : success({ ok: true })),
  }),
  defineBlock({
    type: "Turn",
    channels: { reads: [], writes: ["log", "turns"] },
    execute({ inputs, iteration, channels, nextIteration }) {
      turnTimes.push(performance.now());
      channels.write("log", "x".repeat(inputs.bytes));
      channels.write("turns", 1);
      return iteration < inputs.turns ? nextIteration() : success({ turns: iteration });
    },
  }),
  defineBlock({ type: "Prose", execute: () => success({ text: prose(produced++) }) }),
  defineBlock({ type: "Noise", execute: () => success({ text: noise(produced++) }) }),
  defineBlock({
    type: "Question",
    execute: ({ inputs }) => pause({ prompt: inputs.prompt }),
    resume: ({ response }) => success({ answer: response }),
  }),
  defineBlock({
    type: "Hang",
    execute: () => {
      seen.hangAt = performance.now();
      onHang(seen.hangAt);
      return new Promise(() => {});
    },
  }),
];

/** Gives the instant at which the next `Hang` block starts. */
export function nextHang() {
  return new Promise((resolve) => {
    onHang = resolve;
  });
}

const stepId = (index) => `step_${String(index).padStart(6, "0")}`;

/** Blocks one after another, of the given types. */
export function chainWorkflow(types) {
  const blocks = types.map((type, index) =>
    index === 0 ? { id: stepId(0), type } : { id: stepId(index), type, dependsOn: [stepId(index - 1)] },
  );
  return { name: "chain", blocks };
}

/** One block, `width` blocks that depend on it, and one that depends on all of these. */
export function fanWorkflow(width, { first, type, last }) {
  const inner = Array.from({ length: width }, (_, index) => ({ id: stepId(index), type, dependsOn: ["first"] }));
  return {
    name: "fan",
    blocks: [{ id: "first", type: first }, ...inner, { id: "last", type: last, dependsOn: inner.map(({ id }) => id) }],
  };
}

export function executorFor(store, workflow, { policy, ...options } = {}) {
  return createExecutor({
    store,
    workflows: [workflow],
    blocks: BLOCKS,
    policy: { maxCheckpointBytes: NO_LIMIT, ...policy },
    ...options,
  });
}

/** Starts a run and gives how it ended or paused. */
export async function runThrough(executor, workflow) {
  const run = await executor.start(workflow);
  const result = await run.settled();
  if (result.status === "failure") throw new Error(`The run failed: ${result.error.message}`);
  return result;
}

/**
 * A long run that stands still after `prefix` steps of 1 kB, or of another type, and again after each `length` more, so that single stretches
 * of it can be timed in turns with something else. `walk` does one stretch under `durability`.
 */
export async function openWalk(store, { prefix, stretches, length, durability, type = "Payload" }) {
  const stretch = ["Gate", ...Array(length).fill(type)];
  const workflow = chainWorkflow([...Array(prefix).fill(type), ...Array.from({ length: stretches }, () => stretch).flat(), "Gate"]);
  // The way there is not measured, so it is written as fast as it can be.
  const hasty = executorFor(store, workflow, { policy: { durability: "async" } });
  await hasty.load(workflow);
  let result = await runThrough(hasty, workflow);
  const executor = executorFor(store, workflow, { policy: { durability } });
  const run = await executor.open(result.run);
  return {
    async walk() {
      result = await run.answer(result.pauses[0].id, "go");
      if (result.status !== "paused") throw new Error(`The run should wait again, but it is ${result.status}.`);
    },
    close: () => executor.close(),
  };
}

/**
 * Runs one block, then `width` blocks of 1 kB in one wave. Gives the milliseconds from the start of the first of these until the store has
 * acknowledged the commit that holds them.
 */
export async function timeWave(store, width) {
  let storedAt;
  const watched = {
    ...store,
    async commit(commit) {
      await store.commit(commit);
      if (commit.entries.length >= width) storedAt = performance.now();
    },
  };
  const workflow = fanWorkflow(width, { first: "Noop", type: "Payload", last: "Noop" });
  const executor = executorFor(watched, workflow, { policy: { durability: "sync" } });
  await executor.load(workflow);
  seen.payloadAt = 0;
  await runThrough(executor, workflow);
  if (storedAt === undefined) throw new Error("The wave was not stored in one commit.");
  return storedAt - seen.payloadAt;
}
