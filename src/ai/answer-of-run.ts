import { runWorkflow } from "../core/blocks/execute-workflow.ts";
import type { Value, Values } from "../core/model/value.ts";
import type { Workflow } from "../core/model/workflow.ts";
import { type BlockContext, type BlockResult, success } from "../core/ports/block.ts";

/** Does a task in a run of its own; what that run says is its `answer` are the outputs of the block. */
export async function answerOfRun(context: BlockContext<unknown>, { name }: Workflow, task: Value): Promise<BlockResult<Values>> {
  const result = await runWorkflow(context, { workflow: name, inputs: { task } });
  return result.status === "success" ? success(result.outputs["answer"] as Values) : result;
}
