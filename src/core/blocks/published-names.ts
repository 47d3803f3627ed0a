import type { BlockType } from "../ports/block.ts";
import { executeWorkflowBlock } from "./execute-workflow.ts";
import { mergeStateBlock } from "./merge-state.ts";
import { readStateBlock } from "./read-state.ts";
import { setStateBlock } from "./set-state.ts";

/**
 * Block types under the names that published workflows of the system of seeds 1 and 2 came to write: the same inputs, the same outputs.
 * Where the later type is another one than before, it is a file of its own: Prompt, RenderTemplate.
 */
export const publishedNames: readonly BlockType[] = [
  { ...executeWorkflowBlock, type: "Workflow" },
  { ...setStateBlock, type: "WriteJSONState" },
  { ...readStateBlock, type: "ReadJSONState" },
  { ...mergeStateBlock, type: "MergeJSONState" },
];
