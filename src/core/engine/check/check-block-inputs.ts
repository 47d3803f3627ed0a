import type { Problem } from "../../model/errors.ts";
import type { Values } from "../../model/value.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import { memberPath } from "../compile-value.ts";
import { checkOutputPatterns } from "./check-file-outputs.ts";
import { holdsReference } from "./holds-reference.ts";

/**
 * What the block types themselves find wrong with the inputs of their blocks, and patterns of outputs that are none. Some of it has to load
 * code.
 */
export async function checkBlockInputs(workflow: Workflow, types: ReadonlyMap<string, BlockType>): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [index, block] of workflow.blocks.entries()) {
    const { type, inputs = {} } = block;
    const found = (await types.get(type)?.checkInputs?.(literals(inputs), inputs)) ?? [];
    for (const { input, code, message } of found) {
      problems.push({ severity: "error", code, message, path: memberPath(`blocks[${index}].inputs`, input) });
    }
    if (block.outputs !== undefined) problems.push(...(await checkOutputPatterns(block.outputs, index)));
  }
  return problems;
}

/** The inputs that hold no reference. */
function literals(inputs: Values): Values {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsReference(value)));
}
