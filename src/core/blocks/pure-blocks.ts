import type { BlockType } from "../ports/block.ts";
import { askChoiceBlock } from "./ask-choice.ts";
import { confirmOperationBlock } from "./confirm-operation.ts";
import { echoBlock } from "./echo.ts";
import { executeWorkflowBlock } from "./execute-workflow.ts";
import { formBlock } from "./form.ts";
import { getInputBlock } from "./get-input.ts";
import { populateTemplateBlock } from "./populate-template.ts";
import { waitBlock } from "./wait.ts";

/** The block types that need nothing of the host: what questionnaires are made of. */
export const pureBlocks: readonly BlockType[] = [
  echoBlock,
  populateTemplateBlock,
  confirmOperationBlock,
  askChoiceBlock,
  getInputBlock,
  formBlock,
  executeWorkflowBlock,
  waitBlock,
];
