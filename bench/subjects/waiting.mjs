import { chainWorkflow, executorFor, runThrough, seen } from "./ours.mjs";

/** Blocks one after another, then questions. */
export function longChain(steps, questions) {
  return chainWorkflow([...Array(steps).fill("Noop"), ...Array(questions).fill("Gate")]);
}

/** One block that runs again and again, then questions. */
export function longLoop(steps, questions) {
  const { name, blocks } = chainWorkflow(["Loop", ...Array(questions).fill("Gate")]);
  const [first, ...rest] = blocks;
  return { name, blocks: [{ ...first, inputs: { times: steps }, maxIterations: steps }, ...rest] };
}

/** Brings a run to its first question and leaves it there. Gives its id. */
export async function leaveWaiting(store, workflow) {
  const executor = executorFor(store, workflow);
  const { run } = await runThrough(executor, workflow);
  await executor.close();
  return run;
}

/**
 * Milliseconds from opening the run, in a new executor that has checked the definition, through the answer to its question until the next step
 * starts, which asks the next question. The answer is stored when the executor is closed.
 */
export async function answerWaiting(store, { workflow, run }) {
  const executor = executorFor(store, workflow);
  await executor.load(workflow);
  const start = performance.now();
  const opened = await executor.open(run);
  const [pause] = opened.getSnapshot().pauses;
  const result = await opened.answer(pause.id, "go");
  if (result.status !== "paused") throw new Error(`The run should wait again, but it is ${result.status}.`);
  await executor.close();
  return seen.askedAt - start;
}
