import { isHostError } from "../model/errors.ts";
import type { Store } from "../ports/store.ts";

const PREFIX = "secret.";

/** Keeps what a marker stands for beside the journal of a run. Only for a store that seals what it is given. */
export async function saveSecret(store: Store, run: string, marker: string, value: unknown): Promise<void> {
  if (typeof value === "string" || Number.isFinite(value)) await store.putNote(run, keyOf(marker), JSON.stringify(value));
}

/** What was kept so; nothing where it was not, or cannot be read: it is got otherwise then. */
export async function readSecret(store: Store, run: string, marker: string): Promise<string | number | undefined> {
  try {
    const notes = await store.notes(run, keyOf(marker));
    const value: unknown = notes[0] && JSON.parse(notes[0].text);
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  } catch (error) {
    if (isHostError(error)) throw error;
    return undefined;
  }
}

function keyOf(marker: string): string {
  return PREFIX + marker.slice(marker.indexOf(" ") + 1);
}
