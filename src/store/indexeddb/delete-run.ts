import { ALL_OF_RUNS, change } from "./change.ts";
import { errorName } from "./failure.ts";
import { keysOfRun } from "./schema.ts";
import type { Database } from "./schema.ts";
import { readStored } from "./tail.ts";

/**
 * Deletes a run, a damaged one too. Empty records stay where a store that does not know it would go on writing: behind the last commit, and
 * wherever another writer had taken the run from it.
 */
export async function deleteRun(database: Database, run: string): Promise<void> {
  try {
    await remove(database, run, { unread: false });
  } catch (error) {
    if (errorName(error) === "InvalidStateError") throw error;
    await remove(database, run, { unread: true });
  }
}

/** With `unread` nothing of the run is looked at but its keys, and an empty record takes the place of each commit. */
function remove(database: Database, run: string, { unread }: { readonly unread: boolean }): Promise<void> {
  return change(database, ALL_OF_RUNS, "strict", async (transaction, changes) => {
    const [created, journal] = [transaction.objectStore("created"), transaction.objectStore("journal")];
    const stored = unread ? undefined : await readStored(transaction, run);
    const places: readonly [number, string][] = stored
      ? [[stored.head.createdAt, run]]
      : (await created.getAllKeys()).filter(([, id]) => id === run);
    if (places.length === 0 && (await transaction.objectStore("heads").getKey(run)) === undefined) return;
    const taken = await (stored ? transaction.objectStore("takeovers") : journal).getAllKeys(keysOfRun(run));
    const last = stored?.head.revision ?? taken.at(-1)?.[1] ?? 0;
    for (const place of places) changes.add(created.delete(place));
    for (const name of ["rows", "takeovers", "notes"] as const) changes.add(transaction.objectStore(name).delete(keysOfRun(run)));
    for (const name of ["heads", "tails", "bases"] as const) changes.add(transaction.objectStore(name).delete(run));
    changes.add(journal.delete(IDBKeyRange.bound([run], [run, last])));
    changes.add(journal.put(null, [run, last + 1]));
    for (const key of taken) changes.add(journal.put(null, key));
  });
}
