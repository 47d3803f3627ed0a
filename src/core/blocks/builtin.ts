/**
 * Blocks: the block types that come with the package. There are three lists, because a page loads them at three times: those that ask one thing, those
 * that need nothing of the host, and those that need files or hosts. `Shell` is loaded by itself. This file has all of them.
 */
import type { BlockType } from "../ports/block.ts";
import { hostBlocks } from "./host-blocks.ts";
import { pureBlocks } from "./pure-blocks.ts";
import { shellBlock } from "./shell.ts";

/** The block types that every executor knows. */
export const builtinBlocks: readonly BlockType[] = [...pureBlocks, ...hostBlocks, shellBlock];
