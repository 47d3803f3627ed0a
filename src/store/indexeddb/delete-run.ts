import { errorName } from "./failure.ts";
import { keysOfRun } from "./schema.ts";
import { readStored } from "./tail.ts";
import { begin, resultOf } from "./transaction.ts";

/**
 * Deletes a run, a damaged one too. Empty records stay where a store that does not know it would go on writing: behind the last commit, and
 * wherever another writer had taken the run from it.
 */
export async function deleteRun(database: IDBDatabase, run: string): Promise<void> {
  try {
    await remove(database, run, { unread: false });
  } catch (error) {
    if (errorName(error) === "InvalidStateError") throw error;
    await remove(database, run, { unread: true });
  }
}

/** With `unread` nothing of the run is looked at but its keys, and an empty record takes the place of each commit. */
async function remove(database: IDBDatabase, run: string, { unread }: { readonly unread: boolean }): Promise<void> {
  const names = ["heads", "created", "journal", "takeovers", "rows", "tails", "bases", "notes"] as const;
  const transaction = begin(database, names, "readwrite", "strict");
  const { table } = transaction;
  const [created, journal] = [table("created"), table("journal")];
  const stored = unread ? undefined : await readStored(transaction, run);
  const places: readonly [number, string][] = stored
    ? [[stored.head.createdAt, run]]
    : (await resultOf(created.getAllKeys())).filter(([, id]) => id === run);
  if (places.length > 0 || (await resultOf(table("heads").getKey(run))) !== undefined) {
    const taken = await resultOf((stored ? table("takeovers") : journal).getAllKeys(keysOfRun(run)));
    const last = stored?.head.revision ?? taken.at(-1)?.[1] ?? 0;
    for (const place of places) created.delete(place);
    for (const name of ["rows", "takeovers", "notes"] as const) table(name).delete(keysOfRun(run));
    for (const name of ["heads", "tails", "bases"] as const) table(name).delete(run);
    journal.delete(IDBKeyRange.bound([run], [run, last]));
    journal.put(null, [run, last + 1]);
    for (const key of taken) journal.put(null, key);
  }
  await transaction.commit();
}
