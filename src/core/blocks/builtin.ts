import type { BlockType } from "../ports/block.ts";
import { askChoiceBlock } from "./ask-choice.ts";
import { confirmOperationBlock } from "./confirm-operation.ts";
import { echoBlock } from "./echo.ts";
import { executeWorkflowBlock } from "./execute-workflow.ts";
import { formBlock } from "./form.ts";
import { getInputBlock } from "./get-input.ts";
import { httpCallBlock } from "./http-call.ts";
import { populateTemplateBlock } from "./populate-template.ts";

/** The block types that every executor knows. */
export const builtinBlocks: readonly BlockType[] = [
  echoBlock,
  populateTemplateBlock,
  confirmOperationBlock,
  askChoiceBlock,
  getInputBlock,
  formBlock,
  executeWorkflowBlock,
  httpCallBlock,
];
