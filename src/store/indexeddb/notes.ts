import type { Note } from "../../core/ports/store.ts";
import { keysOfRun } from "./schema.ts";
import { begin, resultOf } from "./transaction.ts";

/** Keeps or removes a note. What is typed is saved often, and lost only with the power: that is worth no sync. */
export async function putNote(database: IDBDatabase, place: [run: string, key: string], text: string | undefined): Promise<void> {
  const transaction = begin(database, ["heads", "notes"], "readwrite", "relaxed");
  const notes = transaction.table("notes");
  if (text === undefined) notes.delete(place);
  else if ((await resultOf(transaction.table("heads").getKey(place[0]))) !== undefined) notes.put(text, place);
  await transaction.commit();
}

/** The notes of a run whose keys begin with a prefix. */
export async function listNotes(database: IDBDatabase, run: string, prefix: string): Promise<readonly Note[]> {
  const notes = begin(database, ["notes"]).table("notes");
  const range = IDBKeyRange.bound([run, prefix], keysOfRun(run).upper);
  const [keys, texts] = await Promise.all([resultOf(notes.getAllKeys(range)), resultOf(notes.getAll(range))]);
  const found = keys.map(([, key], index) => ({ key, text: texts[index]! }));
  return found.filter(({ key, text }) => key.startsWith(prefix) && typeof text === "string");
}
