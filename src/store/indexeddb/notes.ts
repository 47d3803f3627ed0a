import type { IDBPDatabase } from "idb";
import type { Note } from "../../core/ports/store.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";
import { begin } from "./transaction.ts";

/** Keeps or removes a note. What is typed is saved often, and lost only with the power: that is worth no sync. */
export async function putNote(database: IDBPDatabase<Schema>, place: [run: string, key: string], text: string | undefined): Promise<void> {
  const transaction = begin(database, ["heads", "notes"], "readwrite", "relaxed");
  const notes = transaction.objectStore("notes");
  if (text === undefined) await notes.delete(place);
  else if ((await transaction.objectStore("heads").getKey(place[0])) !== undefined) await notes.put(text, place);
  await transaction.done;
}

/** The notes of a run whose keys begin with a prefix. */
export async function listNotes(database: IDBPDatabase<Schema>, run: string, prefix: string): Promise<readonly Note[]> {
  const stored = begin(database, ["notes"], "readonly").objectStore("notes");
  const range = IDBKeyRange.bound([run, prefix], keysOfRun(run).upper);
  const [keys, texts] = await Promise.all([stored.getAllKeys(range), stored.getAll(range)]);
  const notes = keys.map(([, key], index) => ({ key, text: texts[index]! }));
  return notes.filter(({ key, text }) => key.startsWith(prefix) && typeof text === "string");
}
