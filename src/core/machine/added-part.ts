import { definePart, type Part } from "../definition/definition.ts";
import type { Block } from "../model/workflow.ts";
import type * as FoldAdded from "./fold-added.ts";

/**
 * What folds blocks that others add, and what a fork is given that begins at a block. Built-in blocks that ask and compute add none; a run that has such entries loads it
 * before they are folded.
 */
export const addedPart: Part<typeof FoldAdded> = definePart({
  isNeededBy: ({ blocks }, kindOf) =>
    Array.isArray(blocks) && (blocks as readonly (Block | null)[]).some((block) => kindOf(String(block?.type)) === "acting"),
  load: () => import("./fold-added.ts"),
});
