import { filesystemStore } from "./filesystem.mjs";
import { chainWorkflow, executorFor, nextHang } from "./ours.mjs";

const workflows = new Map();

function workflowOf(steps) {
  let workflow = workflows.get(steps);
  if (!workflow) workflows.set(steps, (workflow = chainWorkflow([...Array(steps).fill("Noop"), "Hang"])));
  return workflow;
}

/** Leaves a run behind that did its steps and was left while the next block ran. Gives its id. */
export async function interruptRun(directory, steps) {
  const workflow = workflowOf(steps);
  const executor = executorFor(filesystemStore(directory), workflow);
  const hanging = nextHang();
  const { id } = await executor.start(workflow);
  await hanging;
  await executor.close();
  return id;
}

/**
 * Milliseconds until the block that was interrupted starts again, in a new executor on a newly opened store. With `load` the clock starts
 * when the definition has been checked, which takes as long as the definition is, however long the run.
 */
export async function resumeInterrupted(directory, { run, steps, load }) {
  const workflow = workflowOf(steps);
  const hanging = nextHang();
  let start = performance.now();
  const executor = executorFor(filesystemStore(directory), workflow);
  if (load) {
    await executor.load(workflow);
    start = performance.now();
  }
  // It never settles: the block hangs until the executor is closed.
  (await executor.open(run)).resume().catch(() => {});
  const took = (await hanging) - start;
  await executor.close();
  return took;
}
