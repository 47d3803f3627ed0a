import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import { prune } from "./prune.ts";
import type { TableName } from "./schema.ts";
import { readStored } from "./tail.ts";
import type { StoredRun } from "./tail.ts";
import { begin, resultOf } from "./transaction.ts";

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
export async function takeOver(database: IDBDatabase, commit: Commit, { writer, by, again }: Author): Promise<StoredRun | undefined> {
  const { run, head, checkpoints = [], dropNotes = [], durability } = commit;
  const names: readonly TableName[] = ["heads", "created", "journal", "takeovers", "rows", "tails", "bases", "notes"];
  const transaction = begin(database, names, "readwrite", durability);
  const { table } = transaction;
  try {
    const [journal, rows] = [table("journal"), table("rows")];
    const place: [string, number] = [run, head.revision];
    const [stored, before, there] = await Promise.all([
      readStored(transaction, run),
      resultOf(journal.get([run, head.revision - 1])),
      resultOf(journal.get(place)),
    ]);
    if (again && there?.by === by) return undefined;
    checkExpected(commit, stored?.head);
    for (const row of stored?.rows ?? []) rows.put(row);
    const kept = await prune(transaction, commit, stored);
    for (const row of checkpoints) rows.put(row);
    for (const key of dropNotes) table("notes").delete([run, key]);
    journal.put({ ...kept, by }, place);
    table("heads").put(head, run);
    if (stored === undefined) table("created").put(1, [head.createdAt, run]);
    // Whoever else believes to be the last writer will look under this key, now and after the record is gone.
    else if (there === null || !String(before?.by).startsWith(`${writer}.`)) table("takeovers").put(1, place);
    if (head.status === "running") table("tails").put(1, run);
    else table("tails").delete(run);
    await transaction.commit();
    return { head, folded: head.revision, rows: [], size: 0 };
  } catch (error) {
    transaction.abort();
    throw error;
  }
}
