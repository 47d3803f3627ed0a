import type { BlockType } from "../ports/block.ts";
import { createFileBlock } from "./create-file.ts";
import { createWorktreeBlock } from "./create-worktree.ts";
import { editFileBlock } from "./edit-file.ts";
import { httpCallBlock } from "./http-call.ts";
import { mergeStateBlock } from "./merge-state.ts";
import { promptBlock } from "./prompt.ts";
import { publishedNames } from "./published-names.ts";
import { pureBlocks } from "./pure-blocks.ts";
import { readFileBlock } from "./read-file.ts";
import { readStateBlock } from "./read-state.ts";
import { setStateBlock } from "./set-state.ts";
import { shellBlock } from "./shell.ts";
import { renderTemplateBlock } from "./template-to-file.ts";

/** The block types that every executor knows. */
export const builtinBlocks: readonly BlockType[] = [
  ...pureBlocks,
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
