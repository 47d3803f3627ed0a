import type { RevisionPreview } from "../../../core/model/history.ts";

/** What a changed answer would do to a block: its question is asked, it runs again, or it is left out. */
export type Change = "ask" | "run" | "skip";

const NOTHING: ReadonlyMap<string, Change> = new Map();
const known = new WeakMap<RevisionPreview, ReadonlyMap<string, Change>>();

/** The blocks to which a revision would do something: the same map for the same preview. */
export function changesOf(preview: RevisionPreview | undefined): ReadonlyMap<string, Change> {
  if (!preview) return NOTHING;
  let changes = known.get(preview);
  if (!changes) {
    // A question that is asked again is among the blocks that run again, too.
    changes = new Map<string, Change>([
      ...preview.rerun.map((block) => [block, "run"] as const),
      ...preview.asked.map((block) => [block, "ask"] as const),
      ...preview.skipped.map((block) => [block, "skip"] as const),
    ]);
    known.set(preview, changes);
  }
  return changes;
}
