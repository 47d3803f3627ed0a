import { assign, createActor, createMachine, fromPromise } from "xstate";
import { payload } from "./payload.mjs";

/** The text that has to be stored. */
export const snapshotText = (actor) => JSON.stringify(actor.getPersistedSnapshot());

/** Keeps what each step gave, as a user does who needs it later; or only the newest, which keeps the snapshot small. */
const KEEP_ALL = assign({ outputs: ({ context, event }) => [...context.outputs, event.output] });
const KEEP_LAST = assign({ output: ({ event }) => event.output });

/**
 * A machine with one state for each step, which invokes a promise, and a state that waits for the event GO where `types` says `gate`.
 */
export function chainMachine(types, { keepAll, work }) {
  const states = {};
  types.forEach((type, index) => {
    const target = index + 1 < types.length ? `step${index + 1}` : "done";
    states[`step${index}`] =
      type === "gate" ? { on: { GO: target } } : { invoke: { src: "work", onDone: { target, actions: keepAll ? KEEP_ALL : KEEP_LAST } } };
  });
  states.done = { type: "final" };
  return createMachine({ id: "chain", initial: "step0", context: keepAll ? { outputs: [] } : {}, states }).provide({
    actors: { work: fromPromise(work) },
  });
}

/**
 * One step, then `width` promises that one state invokes at the same time, then one step. Parallel states instead would take XState five
 * times as long.
 */
export function fanMachine(width, { keepAll, work }) {
  const count = ({ context }) => context.finished + 1;
  const keep = assign(
    keepAll ? { finished: count, outputs: ({ context, event }) => [...context.outputs, event.output] } : { finished: count },
  );
  return createMachine({
    id: "fan",
    initial: "first",
    context: keepAll ? { finished: 0, outputs: [] } : { finished: 0 },
    states: {
      first: { invoke: { src: "work", onDone: "wide" } },
      wide: {
        invoke: Array.from({ length: width }, (_, index) => ({ id: `work${index}`, src: "work", onDone: { actions: keep } })),
        always: { guard: ({ context }) => context.finished === width, target: "last" },
      },
      last: { invoke: { src: "work", onDone: "done" } },
      done: { type: "final" },
    },
  }).provide({ actors: { work: fromPromise(work) } });
}

/** Runs a machine to its end; `onChange` is told after each change. */
export function runMachine(machine, onChange) {
  return new Promise((resolve, reject) => {
    const actor = createActor(machine);
    actor.subscribe({
      next: () => onChange(actor),
      error: reject,
      complete: () => resolve(actor),
    });
    actor.start();
  });
}

/** Sends a machine the event it waits for until it is done; `onChange` is told after each change. */
export function runGates(machine, onChange) {
  return runMachine(machine, (actor) => {
    onChange(actor);
    // Not within the change itself: a person answers when the question stands.
    if (actor.getSnapshot().status === "active") queueMicrotask(() => actor.send({ type: "GO" }));
  });
}

/**
 * The counterpart of a walk in stretches: after `prefix` steps that were not saved, each `walk` does `length` steps of 1 kB. `save` gives a
 * promise where it cannot write at once; the next step waits for it, as it must where no step may be lost.
 */
export async function openWalk(save, { prefix, stretches, length }) {
  let saved;
  let produced = 0;
  const work = async () => {
    await saved;
    return payload(produced++);
  };
  const stretch = ["gate", ...Array(length).fill("work")];
  const machine = chainMachine([...Array(prefix).fill("work"), ...Array.from({ length: stretches }, () => stretch).flat(), "gate"], {
    keepAll: true,
    work,
  });
  const actor = createActor(machine);
  const atGate = (gate) =>
    new Promise((resolve) => {
      const subscription = actor.subscribe((snapshot) => {
        if (snapshot.value !== gate) return;
        subscription.unsubscribe();
        resolve();
      });
    });
  let next = prefix;
  const first = atGate(`step${next}`);
  actor.start();
  await first;
  actor.subscribe(() => {
    saved = save(snapshotText(actor));
  });
  return {
    async walk() {
      next += length + 1;
      const there = atGate(`step${next}`);
      actor.send({ type: "GO" });
      await there;
      await saved;
    },
    close: () => actor.stop(),
  };
}
