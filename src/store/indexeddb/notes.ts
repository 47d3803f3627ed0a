import type { Note } from "../../core/ports/store.ts";
import { beginReading, change } from "./transactions.ts";
import { type Database, keysOf } from "./schema.ts";

/**
 * Writes or removes a note. Drafts are saved often and can be lost only in a power cut, so they are not synced. Sends all requests at once, followed by
 * `commit`: a page that is being left gets no reply, and without `commit` the browser would drop its requests.
 */
export async function putNote(database: Database, place: [run: string, key: string], text: string | undefined): Promise<void> {
  const [run] = place;
  const isOfRun = await change(database, ["heads", "notes"], "relaxed", async (transaction, changes) => {
    const notes = transaction.objectStore("notes");
    const head = transaction.objectStore("heads").getKey(run);
    changes.add(head);
    changes.add(text === undefined ? notes.delete(place) : notes.put(text, place));
    transaction.commit();
    return (await head) !== undefined;
  });
  if (!isOfRun && text !== undefined) await dropStray(database, place);
}

/** Removes a note of a run that does not exist. If that never happens, the run that takes the name begins without it. */
function dropStray(database: Database, place: [run: string, key: string]): Promise<void> {
  return change(database, ["heads", "notes"], "relaxed", async (transaction, changes) => {
    const isOfRun = (await transaction.objectStore("heads").getKey(place[0])) !== undefined;
    if (!isOfRun) changes.add(transaction.objectStore("notes").delete(place));
  });
}

/** The notes of a run whose keys begin with a prefix. */
export async function listNotes(database: Database, run: string, prefix: string): Promise<readonly Note[]> {
  const notes = beginReading(database, ["notes"]).objectStore("notes");
  const range = IDBKeyRange.bound([run, prefix], keysOf(run).upper);
  const [keys, texts] = await Promise.all([notes.getAllKeys(range), notes.getAll(range)]);
  const found = keys.map(([, key], index) => ({ key, text: texts[index]! }));
  return found.filter(({ key, text }) => key.startsWith(prefix) && typeof text === "string");
}
