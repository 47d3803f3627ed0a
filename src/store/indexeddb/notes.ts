import type { Note } from "../../core/ports/store.ts";
import { beginReading } from "./begin-reading.ts";
import { change } from "./change.ts";
import { keysOfRun } from "./schema.ts";
import type { Database } from "./schema.ts";

/** Keeps or removes a note. What is typed is saved often, and lost only with the power: that is worth no sync. */
export function putNote(database: Database, place: [run: string, key: string], text: string | undefined): Promise<void> {
  return change(database, ["heads", "notes"], "relaxed", async (transaction, changes) => {
    const notes = transaction.objectStore("notes");
    if (text === undefined) changes.add(notes.delete(place));
    else if ((await transaction.objectStore("heads").getKey(place[0])) !== undefined) changes.add(notes.put(text, place));
  });
}

/** The notes of a run whose keys begin with a prefix. */
export async function listNotes(database: Database, run: string, prefix: string): Promise<readonly Note[]> {
  const notes = beginReading(database, ["notes"]).objectStore("notes");
  const range = IDBKeyRange.bound([run, prefix], keysOfRun(run).upper);
  const [keys, texts] = await Promise.all([notes.getAllKeys(range), notes.getAll(range)]);
  const found = keys.map(([, key], index) => ({ key, text: texts[index]! }));
  return found.filter(({ key, text }) => key.startsWith(prefix) && typeof text === "string");
}
