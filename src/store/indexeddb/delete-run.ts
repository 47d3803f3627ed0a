import type { IDBPDatabase } from "idb";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";

/**
 * Deletes a run. Empty records stay where a store that does not know it would go on writing: behind the last commit, and wherever another
 * writer had taken the run from it.
 */
export async function deleteRun(database: IDBPDatabase<Schema>, run: string): Promise<void> {
  const transaction = database.transaction(["heads", "created", "journal", "takeovers", "rows", "tails"], "readwrite", {
    durability: "strict",
  });
  const heads = transaction.objectStore("heads");
  const journal = transaction.objectStore("journal");
  const takeovers = transaction.objectStore("takeovers");
  const stored = await readStored({ heads, journal }, run);
  const changes: Promise<unknown>[] = [transaction.done];
  if (stored !== undefined) {
    const { createdAt, revision } = stored.head;
    const taken = await takeovers.getAllKeys(keysOfRun(run));
    changes.push(
      transaction.objectStore("created").delete([createdAt, run]),
      transaction.objectStore("rows").delete(keysOfRun(run)),
      transaction.objectStore("tails").delete(run),
      heads.delete(run),
      takeovers.delete(keysOfRun(run)),
      journal.delete(IDBKeyRange.bound([run], [run, revision])),
      journal.put(null, [run, revision + 1]),
      ...taken.map((key) => journal.put(null, key)),
    );
  }
  await Promise.all(changes);
}
