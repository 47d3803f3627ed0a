import { definePart, type Part } from "../definition/definition.ts";
import type { Block } from "../model/workflow.ts";
import type * as FoldAdded from "./fold-added.ts";

/** What folds blocks that others add. The built-in questions add none; a run that has some loads it before it is folded. */
export const addedPart: Part<typeof FoldAdded> = definePart({
  isNeededBy: ({ blocks }, isQuestion) =>
    Array.isArray(blocks) && (blocks as readonly (Block | null)[]).some((block) => !isQuestion(String(block?.type))),
  load: () => import("./fold-added.ts"),
});
