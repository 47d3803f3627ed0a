import type { Entry, Store } from "wavepoint";
import { entryText } from "wavepoint/dashboard";
import { unpacked } from "../tools/stored-text.ts";

/** The journal of a run as it is stored, read past the engine. */
export async function readJournal(store: Store, run: string): Promise<readonly Entry[]> {
  const texts = await store.read(run);
  return Promise.all(texts.map(async (text) => JSON.parse((await unpacked(text)).plain) as Entry));
}

/** The blocks whose steps a journal holds as finished. */
export function finishedIn(entries: readonly Entry[]): readonly string[] {
  return [...new Set(entries.flatMap((entry) => (entry.type === "completed" ? [entry.block] : [])))];
}

/** How many of some finished blocks the later entries of a journal finish once more. */
export function repeatedIn(later: readonly Entry[], finished: readonly string[]): number {
  return later.filter((entry) => entry.type === "completed" && finished.includes(entry.block)).length;
}

/** An entry in a line. */
export function lineOf(entry: Entry): string {
  return entryText(entry);
}

/** What was typed into the questions of a run and not sent, as the store keeps it. */
export async function readDrafts(store: Store, run: string): Promise<readonly string[]> {
  const notes = await store.notes(run, "draft.");
  const drafts = await Promise.all(notes.map(async ({ text }) => JSON.parse((await unpacked(text)).plain) as unknown));
  return drafts.flatMap((draft) => (typeof draft === "string" ? [draft] : []));
}
