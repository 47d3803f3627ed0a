import type { BlockType } from "../ports/block.ts";
import { askChoiceBlock } from "./ask-choice.ts";
import { confirmOperationBlock } from "./confirm-operation.ts";
import { createFileBlock } from "./create-file.ts";
import { createWorktreeBlock } from "./create-worktree.ts";
import { echoBlock } from "./echo.ts";
import { editFileBlock } from "./edit-file.ts";
import { executeWorkflowBlock } from "./execute-workflow.ts";
import { formBlock } from "./form.ts";
import { getInputBlock } from "./get-input.ts";
import { httpCallBlock } from "./http-call.ts";
import { mergeStateBlock } from "./merge-state.ts";
import { populateTemplateBlock } from "./populate-template.ts";
import { promptBlock } from "./prompt.ts";
import { publishedNames } from "./published-names.ts";
import { readFileBlock } from "./read-file.ts";
import { readStateBlock } from "./read-state.ts";
import { setStateBlock } from "./set-state.ts";
import { shellBlock } from "./shell.ts";
import { renderTemplateBlock } from "./template-to-file.ts";
import { waitBlock } from "./wait.ts";

/** The block types that every executor knows. */
export const builtinBlocks: readonly BlockType[] = [
  echoBlock,
  populateTemplateBlock,
  confirmOperationBlock,
  askChoiceBlock,
  getInputBlock,
  formBlock,
  executeWorkflowBlock,
  waitBlock,
  httpCallBlock,
  createFileBlock,
  readFileBlock,
  editFileBlock,
  setStateBlock,
  readStateBlock,
  mergeStateBlock,
  shellBlock,
  createWorktreeBlock,
  promptBlock,
  renderTemplateBlock,
  ...publishedNames,
];
