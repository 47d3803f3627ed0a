import type { Run, RunResult, Workflow } from "wavepoint";

/** The workflow with a last question behind all else, `sure`: while that is open the run has not ended, and its answers can be changed. */
export function leftOpen(workflow: Workflow): Workflow {
  const dependsOn = workflow.blocks.map(({ id }) => ({ block: id, required: false }));
  return { ...workflow, blocks: [...workflow.blocks, { id: "sure", type: "GetInput", inputs: { prompt: "Sure?" }, dependsOn }] };
}

/** Answers the last question, which must be the only one that is open. */
export async function conclude(run: Run): Promise<RunResult> {
  const { pauses = [] } = await run.settled();
  const [pause, ...others] = pauses;
  if (pause?.path.join("/") !== "sure" || others.length > 0) throw new Error(`Open: ${pauses.map(({ path }) => path.join("/")).join()}.`);
  return run.answer(pause.id, "yes");
}
