import { unwrap } from "idb";
import type { StoreNames } from "idb";
import type { Commit } from "../../core/ports/store.ts";
import { packRows } from "./row-packs.ts";
import { isListedAnew, listedRun } from "./schema.ts";
import type { Database, Schema } from "./schema.ts";
import { joinsTail, tailRecord, withTail, withoutTail } from "./tail.ts";
import type { StoredRun } from "./tail.ts";

/**
 * Writes a commit that follows one this store has written itself, without reading: a writer that came between, or deleted the run, left
 * something under the key of the next revision, and then the whole transaction fails with a `ConstraintError`. All requests are sent at
 * once, and behind a
 * single one the order to commit. Resolves with the transaction's `complete`.
 */
export async function appendCommit(database: Database, commit: Commit, known: StoredRun): Promise<StoredRun> {
  const { run, head, entries, checkpoints = [], dropNotes = [] } = commit;
  const { number, writer } = known;
  const joins = joinsTail(known, commit);
  const record = joins ? tailRecord(known, commit) : [head.entries - entries.length, entries];
  const names: StoreNames<Schema>[] = joins ? ["journal"] : ["journal", "heads", "listed", "rows", "tails"];
  if (dropNotes.length > 0) names.push("notes");
  const transaction = unwrap(database).transaction(names, "readwrite", { durability: commit.durability });
  const completed = new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new DOMException("The transaction was aborted.", "AbortError")),
    );
  });
  try {
    transaction.objectStore("journal").add(record, [number, head.revision]);
    for (const key of dropNotes) transaction.objectStore("notes").delete([run, key]);
    if (!joins) {
      transaction.objectStore("heads").put({ ...head, number, writer }, run);
      if (isListedAnew(head, known.head)) transaction.objectStore("listed").put(listedRun(head, number));
      for (const pack of packRows(commit, [...known.rows, ...checkpoints])) transaction.objectStore("rows").put(pack);
      if (head.status !== "running") transaction.objectStore("tails").delete(run);
      else if (known.head.status !== "running") transaction.objectStore("tails").put(1, run);
    }
    // Firefox keeps the other writes of a transaction if a request before the last one fails after the call of `commit`.
    if (joins && dropNotes.length === 0) transaction.commit();
  } catch (error) {
    // A value that cannot be stored, or no room: nothing of the transaction may remain.
    completed.catch(() => {});
    transaction.abort();
    throw error;
  }
  await completed;
  return joins ? withTail(known, commit) : withoutTail(head, known);
}
