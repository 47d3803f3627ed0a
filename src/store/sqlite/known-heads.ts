import type { RunHead } from "../../core/model/run.ts";

/** Of so many runs it is known how their heads stand. What another run commits next is written whole. */
const MOST = 1_000;
/** What the row of an entry keeps of the head. */
const CONTINUING: ReadonlySet<string> = new Set<keyof RunHead>(["revision", "entries", "updatedAt"]);

/** The heads that were committed last, of runs that execute. The database refuses what follows one of them once another writer came after it. */
export interface KnownHeads {
  has(run: string): boolean;
  /** Whether a head only continues the one before: it differs only in its revision, its time and its count of entries. */
  isContinued(head: RunHead): boolean;
  committed(head: RunHead): void;
}

export function knownHeads(): KnownHeads {
  const known = new Map<string, RunHead>();
  return {
    has: (run) => known.has(run),
    isContinued(head) {
      const before = known.get(head.id);
      return before?.revision === head.revision - 1 && isSameBut(CONTINUING, before, head);
    },
    committed(head) {
      if (head.status === "running") known.set(head.id, head);
      else known.delete(head.id);
      if (known.size > MOST) known.delete(known.keys().next().value!);
    },
  };
}

/** Whether two heads have the same values, or the same objects, under all keys but some. */
function isSameBut(but: ReadonlySet<string>, before: RunHead, head: RunHead): boolean {
  let keys = 0;
  for (const key in head) {
    if (head[key as keyof RunHead] !== before[key as keyof RunHead] && !but.has(key)) return false;
    keys++;
  }
  for (const _ in before) keys--;
  return keys === 0;
}
