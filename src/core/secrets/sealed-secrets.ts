import { markerOf } from "../journal/journal.ts";
import type { Store } from "../ports/store.ts";

const PREFIX = "secret.";

/** What a store that seals, and a sealed file, keep of what stands under secret keys. */
export type SealedSecret = string | number;

export function isSealable(value: unknown): value is SealedSecret {
  return typeof value === "string" || Number.isFinite(value);
}

/** Keeps what a marker stands for beside the journal of a run, where the store seals what it is given. */
export async function saveSecret(store: Store, run: string, marker: string, value: unknown): Promise<void> {
  if (store.seals && isSealable(value)) await store.putNote(run, keyOf(marker), JSON.stringify(value));
}

/** What was kept so of a run, by its markers: all of it, or that of one marker. */
export async function readSecrets(store: Store, run: string, marker?: string): Promise<ReadonlyMap<string, SealedSecret>> {
  const notes = store.seals ? await store.notes(run, marker === undefined ? PREFIX : keyOf(marker)) : [];
  return new Map(notes.map(({ key, text }) => [markerOf(key.slice(PREFIX.length)), JSON.parse(text) as SealedSecret]));
}

function keyOf(marker: string): string {
  return PREFIX + marker.slice(marker.indexOf(" ") + 1);
}
