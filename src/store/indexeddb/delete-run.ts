import type { IDBPDatabase } from "idb";
import { errorName } from "./failure.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";
import { begin } from "./transaction.ts";

/**
 * Deletes a run, a damaged one too. Empty records stay where a store that does not know it would go on writing: behind the last commit, and
 * wherever another writer had taken the run from it.
 */
export async function deleteRun(database: IDBPDatabase<Schema>, run: string): Promise<void> {
  try {
    await remove(database, run, { unread: false });
  } catch (error) {
    if (errorName(error) === "InvalidStateError") throw error;
    await remove(database, run, { unread: true });
  }
}

/** With `unread` nothing of the run is looked at but its keys, and an empty record takes the place of each commit. */
async function remove(database: IDBPDatabase<Schema>, run: string, { unread }: { readonly unread: boolean }): Promise<void> {
  const transaction = begin(
    database,
    ["heads", "created", "journal", "takeovers", "rows", "tails", "bases", "notes"],
    "readwrite",
    "strict",
  );
  const [heads, created, journal] = [
    transaction.objectStore("heads"),
    transaction.objectStore("created"),
    transaction.objectStore("journal"),
  ];
  const changes: Promise<unknown>[] = [transaction.done];
  const stored = unread ? undefined : await readStored({ heads, journal }, run);
  const places = stored
    ? [[stored.head.createdAt, run] satisfies [number, string]]
    : (await created.getAllKeys()).filter(([, id]) => id === run);
  if (places.length > 0 || (await heads.getKey(run)) !== undefined) {
    const taken = stored ? await transaction.objectStore("takeovers").getAllKeys(keysOfRun(run)) : await journal.getAllKeys(keysOfRun(run));
    const last = stored?.head.revision ?? taken.at(-1)?.[1] ?? 0;
    changes.push(
      ...places.map((place) => created.delete(place)),
      ...(["rows", "takeovers", "notes"] as const).map((name) => transaction.objectStore(name).delete(keysOfRun(run))),
      ...(["heads", "tails", "bases"] as const).map((name) => transaction.objectStore(name).delete(run)),
      journal.delete(IDBKeyRange.bound([run], [run, last])),
      journal.put(null, [run, last + 1]),
      ...taken.map((key) => journal.put(null, key)),
    );
  }
  await Promise.all(changes);
}
