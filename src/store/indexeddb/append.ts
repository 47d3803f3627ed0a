import { unwrap } from "idb";
import type { StoreNames } from "idb";
import type { Commit } from "../../core/ports/store.ts";
import type { CommitRecord, Database, Schema } from "./schema.ts";
import { joinsTail, withTail } from "./tail.ts";
import type { StoredRun } from "./tail.ts";

/**
 * Writes a commit that follows one this store has written itself, without reading: whoever came between, or deleted the run, left something
 * under the key of the next revision, and then the whole transaction fails with a `ConstraintError`. All requests are sent at once, and behind a
 * single one the order to commit. Resolves with the transaction's `complete`.
 */
export async function appendCommit(database: Database, commit: Commit, by: string, known: StoredRun): Promise<StoredRun> {
  const { run, head, entries, checkpoints = [], dropNotes = [] } = commit;
  const joins = joinsTail(known, commit);
  const first = head.entries - entries.length;
  const record: CommitRecord = {
    first,
    entries,
    by,
    ...(joins && { at: head.updatedAt, rows: checkpoints, ...(head.sealed && { sealed: head.sealed }) }),
  };
  const names: StoreNames<Schema>[] = joins ? ["journal"] : ["journal", "heads", "rows", "tails"];
  if (dropNotes.length > 0) names.push("notes");
  const transaction = unwrap(database).transaction(names, "readwrite", { durability: commit.durability });
  const completed = new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new DOMException("The transaction was aborted.", "AbortError")),
    );
  });
  try {
    transaction.objectStore("journal").add(record, [run, head.revision]);
    for (const key of dropNotes) transaction.objectStore("notes").delete([run, key]);
    if (!joins) {
      transaction.objectStore("heads").put(head, run);
      for (const row of [...known.rows, ...checkpoints]) transaction.objectStore("rows").put(row);
      if (head.status !== "running") transaction.objectStore("tails").delete(run);
      else if (known.head.status !== "running") transaction.objectStore("tails").put(1, run);
    }
    // Firefox keeps what else a transaction did where a request before the last one fails behind the order to commit.
    if (joins && dropNotes.length === 0) transaction.commit();
  } catch (error) {
    // A value that cannot be stored, or no room: nothing of the transaction may remain.
    completed.catch(() => {});
    transaction.abort();
    throw error;
  }
  await completed;
  return joins ? withTail(known, commit) : { head, folded: head.revision, rows: [], size: 0 };
}
