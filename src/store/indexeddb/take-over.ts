import type { IDBPDatabase } from "idb";
import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";
import type { StoredRun } from "./tail.ts";

/**
 * Writes a commit to a run that somebody else may have written last: reads how it stands, in the same transaction, and leaves no trace where
 * that is not what the writer saw. Gives how the run stands then; nothing if `again` and the commit had been written before.
 */
export async function takeOver(
  database: IDBPDatabase<Schema>,
  commit: Commit,
  { by, again }: { readonly by: string; readonly again: boolean },
): Promise<StoredRun | undefined> {
  const { run, head, entries, checkpoints = [], forgotten = [], durability } = commit;
  const transaction = database.transaction(["heads", "created", "journal", "takeovers", "rows", "tails"], "readwrite", { durability });
  const writes: Promise<unknown>[] = [transaction.done];
  try {
    const [heads, journal, rows, tails] = [
      transaction.objectStore("heads"),
      transaction.objectStore("journal"),
      transaction.objectStore("rows"),
      transaction.objectStore("tails"),
    ];
    if (again && (await journal.get([run, head.revision]))?.by === by) return undefined;
    const stored = await readStored({ heads, journal }, run);
    checkExpected(commit, stored?.head);
    const gone = new Set(forgotten.map(rowName));
    const keys = gone.size > 0 ? await rows.getAllKeys(keysOfRun(run)) : [];
    for (const key of keys) if (gone.has(rowName({ kind: key[3], number: key[2] }))) writes.push(rows.delete(key));
    const late = stored?.rows.filter((row) => !gone.has(rowName(row))) ?? [];
    for (const row of [...late, ...checkpoints]) writes.push(rows.put(row));
    writes.push(journal.put({ first: head.entries - entries.length, entries, by }, [run, head.revision]), heads.put(head, run));
    if (stored === undefined) writes.push(transaction.objectStore("created").put(1, [head.createdAt, run]));
    else writes.push(transaction.objectStore("takeovers").put(1, [run, head.revision]));
    writes.push(head.status === "running" ? tails.put(1, run) : tails.delete(run));
    await Promise.all(writes);
    return { head, folded: head.revision, rows: [], size: 0 };
  } catch (error) {
    for (const write of writes) write.catch(() => {});
    try {
      transaction.abort();
    } catch {
      // It is over already.
    }
    throw error;
  }
}

function rowName({ kind, number }: { readonly kind: string; readonly number: number }): string {
  return `${kind} ${number}`;
}
