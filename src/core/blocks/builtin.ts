import type { BlockType } from "../ports/block.ts";
import { hostBlocks } from "./host-blocks.ts";
import { pureBlocks } from "./pure-blocks.ts";

/** The block types that every executor knows. */
export const builtinBlocks: readonly BlockType[] = [...pureBlocks, ...hostBlocks];
