import type { Note } from "../../core/ports/store.ts";
import { type Bucket, sideBySide } from "./bucket.ts";
import { type Journals, noteKey } from "./journal.ts";

/** A stored note. It holds the number of the link after which it was written, so that a commit that drops it also drops copies that could not be removed. */
interface StoredNote {
  readonly behind: number;
  readonly text: string;
}

/** Keeps a note of a run that is there, or removes it. */
export async function putNote(bucket: Bucket, journals: Journals, run: string, key: string, text: string | undefined): Promise<void> {
  if (text === undefined) return bucket.remove([noteKey(run, key)]);
  const standing = await journals.standing(run);
  if (standing) await bucket.put(noteKey(run, key), JSON.stringify({ behind: standing.number, text } satisfies StoredNote));
}

/** The notes of a run whose keys begin with a prefix, by key. */
export async function readNotes(bucket: Bucket, journals: Journals, run: string, prefix: string): Promise<readonly Note[]> {
  const standing = await journals.standing(run);
  if (!standing) return [];
  const keys: string[] = [];
  for await (const { objects } of bucket.pages(noteKey(run, prefix))) keys.push(...objects.map(({ key }) => key));
  const stored = await sideBySide(keys, async (key) => {
    const found = await bucket.get(key);
    return { key: key.slice(noteKey(run, "").length), note: found && readNote(await found.text()) };
  });
  const notes = stored.flatMap(({ key, note }) => (note && note.behind >= standing.link.born ? [{ key, ...note }] : []));
  if (notes.length === 0) return [];
  const drops = await journals.dropsOf(run, Math.min(...notes.map(({ behind }) => behind)));
  return notes.filter(({ key, behind }) => (drops.get(key) ?? 0) <= behind).map(({ key, text }) => ({ key, text }));
}

/** A damaged one is left out. */
function readNote(text: string): StoredNote | undefined {
  try {
    const note = JSON.parse(text) as Partial<StoredNote> | null;
    return typeof note?.text === "string" && typeof note.behind === "number" ? { text: note.text, behind: note.behind } : undefined;
  } catch {
    return undefined;
  }
}
