// Resumes an interrupted run in a process that has done nothing else. Prints the milliseconds until the next step as JSON: since the store was
// opened, since Node's own start was over, and since the epoch.
import process from "node:process";
import { performance } from "node:perf_hooks";

const [engine, place, steps, run] = process.argv.slice(2);

async function resume() {
  if (engine === "nothing") return { opened: 0, at: performance.now() };
  if (engine === "ours") {
    const { resumeInterrupted } = await import("./subjects/interrupted.mjs");
    const { seen } = await import("./subjects/ours.mjs");
    return { opened: await resumeInterrupted(place, { run, steps: Number(steps), load: false }), at: seen.hangAt };
  }
  const { resumeMachine, seen } = await import("./subjects/interrupted-xstate.mjs");
  return { opened: await resumeMachine(place, Number(steps)), at: seen.workAt };
}

const { opened, at } = await resume();
console.log(JSON.stringify({ opened, booted: at - performance.nodeTiming.bootstrapComplete, epoch: performance.timeOrigin + at }));
process.exit(0);
