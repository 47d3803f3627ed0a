import type { Commit } from "../../core/ports/store.ts";
import type { CommitRecord, TableName } from "./schema.ts";
import { joinsTail, withTail } from "./tail.ts";
import type { StoredRun } from "./tail.ts";
import { begin } from "./transaction.ts";

/**
 * Writes a commit that follows one this store has written itself, without reading: whoever came between, or deleted the run, left something
 * under the key of the next revision, and then the whole transaction fails with a `ConstraintError`. All requests are sent at once, with the
 * order to commit behind them. Resolves with the transaction's `complete`.
 */
export async function appendCommit(database: IDBDatabase, commit: Commit, by: string, known: StoredRun): Promise<StoredRun> {
  const { run, head, entries, checkpoints = [], dropNotes = [] } = commit;
  const joins = joinsTail(known, commit);
  const first = head.entries - entries.length;
  const record: CommitRecord = {
    first,
    entries,
    by,
    ...(joins && { at: head.updatedAt, rows: checkpoints, ...(head.sealed && { sealed: head.sealed }) }),
  };
  const names: TableName[] = joins ? ["journal"] : ["journal", "heads", "rows", "tails"];
  if (dropNotes.length > 0) names.push("notes");
  const transaction = begin(database, names, "readwrite", commit.durability);
  const { table } = transaction;
  try {
    table("journal").add(record, [run, head.revision]);
    for (const key of dropNotes) table("notes").delete([run, key]);
    if (!joins) {
      table("heads").put(head, run);
      for (const row of [...known.rows, ...checkpoints]) table("rows").put(row);
      if (head.status !== "running") table("tails").delete(run);
      else if (known.head.status !== "running") table("tails").put(1, run);
    }
    await transaction.commit();
  } catch (error) {
    // A value that cannot be stored, or no room: nothing of the transaction may remain.
    transaction.abort();
    throw error;
  }
  return joins ? withTail(known, commit) : { head, folded: head.revision, rows: [], size: 0 };
}
