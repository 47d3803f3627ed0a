import { join } from "node:path";
import type { Disk } from "../../core/ports/disk.ts";
import type { Note } from "../../core/ports/store.ts";
import { readFile, replaceSoon } from "./disk.ts";
import { lineText, onlyLine, openFile, sealedLines } from "./line.ts";
import { fileName, keyOfFile } from "./names.ts";

/**
 * Keys of notes that commits dropped, each with the revision from which on a note under it counts again. A note says at which revision of
 * its run it was put: so one whose file outlives its drop, or comes back in a power cut, stays gone.
 */
export type DroppedNotes = ReadonlyMap<string, number>;

interface StoredNote extends Note {
  readonly revision: number;
}

/** Puts a note into the directory of a run. */
export function writeNote(disk: Disk, directory: string, temporary: string, { key, text, revision }: StoredNote): void {
  replaceSoon(disk, temporary, notePath(directory, key), sealedLines([onlyLine(text)], [key, revision]));
}

/** Removes a note. */
export function removeNote(disk: Disk, directory: string, key: string): void {
  disk.remove(notePath(directory, key));
}

/** The notes in the directory of a run that count, by key. */
export function readNotes(disk: Disk, directory: string, { dropped, prefix }: { dropped: DroppedNotes; prefix: string }): Note[] {
  const found: Note[] = [];
  for (const name of disk.list(directory)) {
    const key = keyOfFile(name);
    if (key === undefined || !key.startsWith(prefix)) continue;
    const note = readNote(disk, directory, key);
    if (note !== undefined && note.revision >= (dropped.get(key) ?? 0)) found.push({ key, text: note.text });
  }
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns the revision from which each of these notes counts again after a commit with this revision drops it. Leaves out missing notes. */
export function dropRevisions(disk: Disk, directory: string, keys: readonly string[], revision: number): [string, number][] {
  return keys.flatMap((key): [string, number][] => {
    if (disk.facts(notePath(directory, key)) === undefined) return [];
    // One put at a revision that a power cut took back would look newer than its drop.
    return [[key, Math.max(revision, (readNote(disk, directory, key)?.revision ?? 0) + 1)]];
  });
}

/** Removes the files of dropped notes. */
export function removeDropped(disk: Disk, directory: string, dropped: DroppedNotes): void {
  for (const [key, revision] of dropped) {
    if (disk.facts(notePath(directory, key)) === undefined) continue;
    const note = readNote(disk, directory, key);
    if (note === undefined || note.revision < revision) removeNote(disk, directory, key);
  }
}

/** Reads a note; nothing if it is missing or damaged. */
function readNote(disk: Disk, directory: string, key: string): StoredNote | undefined {
  const bytes = readFile(disk, notePath(directory, key));
  const { content, seal } = (bytes && openFile(bytes)) ?? {};
  if (content === undefined || seal?.[0] !== key) return undefined;
  return { key, text: lineText(content, 0, content.length), revision: seal[1] as number };
}

/** Keys have a "=" in their file names, which no other file of a run has. */
function notePath(directory: string, key: string): string {
  return join(directory, fileName(key));
}
