import { unwrap } from "idb";
import type { IDBPDatabase } from "idb";
import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";

type StoredHead = Schema["heads"]["value"];

/**
 * Writes a commit in one transaction. All requests are sent at once; the head that is read first decides, and where it is not the expected
 * one the transaction is aborted before anything of it counts. Resolves with the transaction's `complete`.
 */
export function writeCommit(wrapped: IDBPDatabase<Schema>, commit: Commit, by: string, again: boolean): Promise<void> {
  const { run, head, entries, checkpoints = [], forgotten = [] } = commit;
  const stores: ("heads" | "created" | "journal" | "rows")[] = ["heads"];
  if (commit.expected === undefined) stores.push("created");
  if (entries.length > 0) stores.push("journal");
  if (checkpoints.length + forgotten.length > 0) stores.push("rows");
  const transaction = unwrap(wrapped).transaction(stores, "readwrite", { durability: commit.durability });
  const heads = transaction.objectStore("heads");
  let refusal: unknown;
  let mine = false;

  function refuse(error: unknown): void {
    refusal = error;
    transaction.abort();
  }

  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      mine ? resolve() : reject(refusal ?? transaction.error ?? new DOMException("The transaction was aborted.", "AbortError"));
    try {
      const found = heads.get(run);
      found.onsuccess = () => {
        const stored = found.result as StoredHead | undefined;
        mine = again && stored?.by === by;
        try {
          if (!mine) checkExpected(commit, stored?.head);
        } catch (error) {
          refuse(error);
        }
        if (mine) transaction.abort();
      };
      heads.put({ head, by } satisfies StoredHead, run);
      if (commit.expected === undefined) transaction.objectStore("created").put(1, [head.createdAt, run]);
      if (entries.length > 0) {
        transaction.objectStore("journal").put(entries.length === 1 ? entries[0] : entries, [run, head.entries - entries.length]);
      }
      if (forgotten.length === 0) for (const row of checkpoints) transaction.objectStore("rows").put(row);
      else replaceRows(transaction.objectStore("rows"), commit);
    } catch (error) {
      // A value that cannot be stored: nothing of the transaction may remain.
      refuse(error);
    }
  });
}

/** Deletes rows, whose time of creation only their keys tell, and then adds the new ones. */
function replaceRows(rows: IDBObjectStore, { run, forgotten = [], checkpoints = [] }: Commit): void {
  const gone = new Set(forgotten.map(({ kind, number }) => `${kind} ${number}`));
  const keys = rows.getAllKeys(keysOfRun(run));
  keys.onsuccess = () => {
    for (const key of keys.result as Schema["rows"]["key"][]) if (gone.has(`${key[3]} ${key[2]}`)) rows.delete(key);
    for (const row of checkpoints) rows.put(row);
  };
}
