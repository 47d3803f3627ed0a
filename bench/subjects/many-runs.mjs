import { filesystemStore } from "./filesystem.mjs";
import { chainWorkflow, executorFor, runThrough } from "./ours.mjs";

const WAITING = chainWorkflow(["Noop", "Gate", "Noop"]);

/** Leaves so many runs behind, each waiting at a question. */
export async function fillWithRuns(directory, count) {
  const executor = executorFor(filesystemStore(directory), WAITING);
  for (let i = 0; i < count; i++) await runThrough(executor, WAITING);
  await executor.close();
}

export function openRuns(directory) {
  return executorFor(filesystemStore(directory), WAITING);
}

export async function listNewest(executor) {
  const { items } = await executor.runs.list({ status: "paused", limit: 20 });
  if (items.length !== 20) throw new Error(`The list has ${items.length} items.`);
  return items;
}

/** Starts one more run and brings it to its question. */
export function startOne(executor) {
  return runThrough(executor, WAITING);
}

/** Opens the newest run and answers it. */
export async function answerOne(executor, run) {
  const opened = await executor.open(run);
  const result = await opened.answer(opened.getSnapshot().pauses[0].id, "go");
  if (result.status !== "success") throw new Error(`The run should be over, but it is ${result.status}.`);
}
