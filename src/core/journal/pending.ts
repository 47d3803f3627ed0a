import type { CheckpointRow } from "../model/checkpoint.ts";
import type { Entry } from "../model/journal.ts";
import type { Commit } from "../ports/store.ts";

/** One entry on its way to the store. */
export interface Pending {
  readonly text: string;
  /** The entry as it was folded; nothing for those with which a run is created. */
  readonly entry?: Entry;
  readonly checkpoints: readonly CheckpointRow[];
  readonly forgotten: readonly Pick<CheckpointRow, "kind" | "number">[];
  /** Keys of notes that go with it. */
  readonly dropNotes?: readonly string[] | undefined;
}

/** The part of a commit about notes that go with what waits. */
export function notesToDrop(pending: readonly Pending[]): Pick<Commit, "dropNotes"> {
  let dropNotes: string[] | undefined;
  for (const item of pending) if (item.dropNotes) dropNotes = [...(dropNotes ?? []), ...item.dropNotes];
  return dropNotes ? { dropNotes } : {};
}

/** What a commit takes of the entries that wait. */
export function gather(pending: readonly Pending[]): Pick<Commit, "entries" | "checkpoints" | "forgotten" | "dropNotes"> {
  const entries: string[] = [];
  const checkpoints: CheckpointRow[] = [];
  const forgotten: Pick<CheckpointRow, "kind" | "number">[] = [];
  for (const item of pending) {
    entries.push(item.text);
    for (const row of item.checkpoints) checkpoints.push(row);
    for (const row of item.forgotten) forgotten.push(row);
  }
  return { entries, checkpoints, forgotten, ...notesToDrop(pending) };
}
