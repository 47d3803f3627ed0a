import type { BlockType } from "../ports/block.ts";
import { createFileBlock } from "./create-file.ts";
import { createWorktreeBlock } from "./create-worktree.ts";
import { editFileBlock } from "./edit-file.ts";
import { httpCallBlock } from "./http-call.ts";
import { mergeStateBlock } from "./merge-state.ts";
import { promptBlock } from "./prompt.ts";
import { readFileBlock } from "./read-file.ts";
import { readStateBlock } from "./read-state.ts";
import { setStateBlock } from "./set-state.ts";
import { renderTemplateBlock } from "./render-template.ts";
import { executeWorkflowBlock } from "./execute-workflow.ts";

/**
 * Block types under the names that published workflows use for them: the same inputs, the same outputs.
 * Where such a type differs from ours, it has a file of its own: Prompt, RenderTemplate.
 */
const publishedNames: readonly BlockType[] = [
  { ...executeWorkflowBlock, type: "Workflow" },
  { ...setStateBlock, type: "WriteJSONState" },
  { ...readStateBlock, type: "ReadJSONState" },
  { ...mergeStateBlock, type: "MergeJSONState" },
];

/** The block types that need the host: files, the network, a model. Shell has a chunk of its own, for its reader. The names that published workflows use are among them. */
export const hostBlocks: readonly BlockType[] = [
  httpCallBlock,
  createFileBlock,
  readFileBlock,
  editFileBlock,
  setStateBlock,
  readStateBlock,
  mergeStateBlock,
  createWorktreeBlock,
  promptBlock,
  renderTemplateBlock,
  ...publishedNames,
];
