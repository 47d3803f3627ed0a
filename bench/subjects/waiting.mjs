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

/** Brings a run to its first question and leaves it there. */
export async function leaveWaiting(store, workflow) {
  const executor = executorFor(store, workflow);
  const { pauses } = await runThrough(executor, workflow);
  await executor.close();
  return { workflow, pause: pauses[0].id };
}

/**
 * Milliseconds from answering the question of a run that was left, in a new executor that has checked the definition, until the next step starts,
 * which asks the next question. The run is left there.
 */
export async function answerWaiting(store, left) {
  const executor = executorFor(store, left.workflow);
  await executor.load(left.workflow);
  const start = performance.now();
  const result = await executor.answer(left.pause, "go");
  if (result.status !== "paused") throw new Error(`The run should wait again, but it is ${result.status}.`);
  await executor.close();
  left.pause = result.pauses[0].id;
  return seen.askedAt - start;
}
