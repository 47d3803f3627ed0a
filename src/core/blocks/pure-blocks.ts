import type { BlockType } from "../ports/block.ts";
import { computeBlock } from "./compute.ts";
import { executeWorkflowBlock } from "./execute-workflow.ts";
import { formBlock } from "./form.ts";
import { populateTemplateBlock } from "./populate-template.ts";
import { reviewBlock } from "./review.ts";
import { questionBlocks } from "./first-blocks.ts";
import { waitBlock } from "./wait.ts";

/** The block types that need nothing of the host: what questionnaires are made of. */
export const pureBlocks: readonly BlockType[] = [
  ...questionBlocks,
  populateTemplateBlock,
  formBlock,
  reviewBlock,
  computeBlock,
  executeWorkflowBlock,
  waitBlock,
];
