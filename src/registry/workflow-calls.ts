import { CALLING_TYPES, type Workflow } from "../core/model/workflow.ts";

/** A block that calls another workflow. */
export interface WorkflowCall {
  /** The number of the block in the definition. */
  readonly index: number;
  readonly block: string;
  /** The called workflow; absent where its name is put together when the block runs. */
  readonly workflow?: string;
  /** Whether the block allows that the called workflow stands in the chain of its callers. */
  readonly mayRecur: boolean;
}

/** The calls of a workflow, in the order of its blocks. */
export function listCalls({ blocks }: Workflow): readonly WorkflowCall[] {
  return blocks.flatMap(({ id, type, inputs, maxDepth = 1 }, index): readonly WorkflowCall[] => {
    const name = CALLING_TYPES.has(type) ? inputs?.["workflow"] : undefined;
    if (typeof name !== "string") return [];
    return [{ index, block: id, ...(name.includes("${") ? {} : { workflow: name }), mayRecur: maxDepth > 1 }];
  });
}
