import type { RunHead } from "../../model/run.ts";

/**
 * The runs that others take steps over from which have not come to their end: those that are revised, those they revised themselves, and so on.
 * A fork of a revision goes on revising. What failed may be resumed, so it needs them too.
 */
export function neededRuns(heads: readonly RunHead[]): ReadonlySet<string> {
  const byId = new Map(heads.map((head) => [head.id, head]));
  const needed = new Set<string>();
  for (const head of heads) if (mayGoOn(head)) for (const id of revisedBefore(head, byId)) needed.add(id);
  return needed;
}

function mayGoOn({ status, transferredTo }: RunHead): boolean {
  return status !== "completed" && status !== "cancelled" && transferredTo === undefined;
}

/** The runs that a run comes from, up to the last one that was revised on the way. */
function revisedBefore(head: RunHead, byId: ReadonlyMap<string, RunHead>): readonly string[] {
  const before: string[] = [];
  let last = 0;
  // Whoever can write the store can let runs come from each other.
  const seen = new Set<RunHead>();
  for (let next: RunHead | undefined = head; next?.fork && !seen.has(next); next = byId.get(next.fork.run)) {
    seen.add(next);
    before.push(next.fork.run);
    if (next.fork.revises) last = before.length;
  }
  return before.slice(0, last);
}
