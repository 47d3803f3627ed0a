import { readFileSync } from "node:fs";
import { createActor } from "xstate";
import { chainMachine, snapshotText } from "./xstate.mjs";

let onWork = () => {};

/** When a step last started. */
export const seen = { workAt: 0 };

function machineOf(steps) {
  let worked = 0;
  return {
    machine: chainMachine(Array(steps + 1).fill("work"), {
      keepAll: true,
      work: () => {
        seen.workAt = performance.now();
        onWork(seen.workAt);
        return worked++ < steps ? Promise.resolve({ ok: true }) : new Promise(() => {});
      },
    }),
    hangAtOnce() {
      worked = steps;
    },
  };
}

/** The snapshot of a machine that did its steps and was left while the next one ran. */
export function interruptMachine(steps) {
  const { machine } = machineOf(steps);
  const actor = createActor(machine);
  return new Promise((resolve) => {
    actor.subscribe((snapshot) => {
      if (snapshot.value === `step${steps}`) resolve(snapshotText(actor));
    });
    actor.start();
  });
}

/** Milliseconds from reading the snapshot until the interrupted step starts again. */
export async function resumeMachine(path, steps) {
  const { machine, hangAtOnce } = machineOf(steps);
  hangAtOnce();
  const working = new Promise((resolve) => {
    onWork = resolve;
  });
  const start = performance.now();
  const actor = createActor(machine, { snapshot: JSON.parse(readFileSync(path, "utf8")) });
  actor.start();
  const took = (await working) - start;
  actor.stop();
  return took;
}
