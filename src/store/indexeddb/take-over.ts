import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import { ALL_OF_RUNS, change } from "./change.ts";
import { prune } from "./prune.ts";
import { keysOfRun } from "./schema.ts";
import type { Database } from "./schema.ts";
import { readStored } from "./tail.ts";
import type { StoredRun } from "./tail.ts";

/** Who writes a commit. */
export interface Author {
  /** The store. */
  readonly writer: string;
  /** The commit: the store's name and a number. */
  readonly by: string;
  /** Whether it may have been written before. */
  readonly again: boolean;
}

/**
 * Writes a commit to a run that somebody else may have written last: reads how it stands, in the same transaction, and leaves no trace where
 * that is not what the writer saw. Gives how the run stands then; nothing if `again` and the commit had been written before.
 */
export function takeOver(database: Database, commit: Commit, { writer, by, again }: Author): Promise<StoredRun | undefined> {
  const { run, head, checkpoints = [], dropNotes = [], durability } = commit;
  return change(database, ALL_OF_RUNS, durability, async (transaction, changes) => {
    const [journal, rows, tails] = [transaction.objectStore("journal"), transaction.objectStore("rows"), transaction.objectStore("tails")];
    const place: [string, number] = [run, head.revision];
    const [stored, before, there] = await Promise.all([
      readStored(transaction, run),
      journal.get([run, head.revision - 1]),
      journal.get(place),
    ]);
    if (again && there?.by === by) return undefined;
    checkExpected(commit, stored?.head);
    for (const row of stored?.rows ?? []) changes.add(rows.put(row));
    const kept = await prune(transaction, commit, { stored, changes });
    for (const row of checkpoints) changes.add(rows.put(row));
    for (const key of dropNotes) changes.add(transaction.objectStore("notes").delete([run, key]));
    changes.add(journal.put({ ...kept, by }, place));
    changes.add(transaction.objectStore("heads").put(head, run));
    if (stored === undefined) {
      changes.add(transaction.objectStore("created").put(1, [head.createdAt, run]));
      changes.add(transaction.objectStore("notes").delete(keysOfRun(run)));
    }
    // Whoever else believes to be the last writer will look under this key, now and after the record is gone.
    else if (there === null || !String(before?.by).startsWith(`${writer}.`))
      changes.add(transaction.objectStore("takeovers").put(1, place));
    changes.add(head.status === "running" ? tails.put(1, run) : tails.delete(run));
    return { head, folded: head.revision, rows: [], size: 0 };
  });
}
