// Resumes an interrupted run in a process that has done nothing else, and prints the milliseconds until the next step.
import process from "node:process";

const [engine, place, steps, run] = process.argv.slice(2);
if (engine === "ours") {
  const { resumeInterrupted } = await import("./subjects/interrupted.mjs");
  console.log(await resumeInterrupted(place, { run, steps: Number(steps), load: false }));
} else {
  const { resumeMachine } = await import("./subjects/interrupted-xstate.mjs");
  console.log(await resumeMachine(place, Number(steps)));
}
process.exit(0);
