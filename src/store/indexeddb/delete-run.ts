import { ALL_OF_RUNS, change } from "./transactions.ts";
import { errorName } from "./failure.ts";
import { type Database, keysOf } from "./schema.ts";
import { readStored } from "./tail.ts";

/**
 * Deletes a run, even a damaged one. Keeps empty records where a store that does not know of the deletion would write next: after the last commit, and
 * wherever another writer had taken the run.
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
    const [listed, journal] = [transaction.objectStore("listed"), transaction.objectStore("journal")];
    const stored = unread ? undefined : await readStored(transaction, run);
    const known = await listed.get(run);
    if (known === undefined && (await transaction.objectStore("heads").getKey(run)) === undefined) return;
    const number = stored?.number ?? known?.number;
    for (const name of ["rows", "notes"] as const) changes.add(transaction.objectStore(name).delete(keysOf(run)));
    for (const name of ["heads", "listed", "tails", "bases"] as const) changes.add(transaction.objectStore(name).delete(run));
    if (number === undefined) return;
    const taken = await (stored ? transaction.objectStore("takeovers") : journal).getAllKeys(keysOf(number));
    const last = stored?.head.revision ?? taken.at(-1)?.[1] ?? 0;
    for (const name of ["journal", "takeovers"] as const) changes.add(transaction.objectStore(name).delete(keysOf(number)));
    for (const key of taken) changes.add(journal.put(null, key));
    changes.add(journal.put(null, [number, last + 1]));
  });
}
