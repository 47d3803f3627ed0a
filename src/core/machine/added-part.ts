import { definePart, type Part } from "../definition/definition.ts";
import type { Block } from "../model/workflow.ts";
import type * as FoldAdded from "./fold-added.ts";

/**
 * What folds blocks that others add, and what a fork is given that begins at a block. The built-in questions add none; a run that has such entries loads it
 * before they are folded.
 */
export const addedPart: Part<typeof FoldAdded> = definePart({
  isNeededBy: ({ blocks }, isQuestion) =>
    Array.isArray(blocks) && (blocks as readonly (Block | null)[]).some((block) => !isQuestion(String(block?.type))),
  load: () => import("./fold-added.ts"),
});
