import type { CheckpointRow, RunHead, Store } from "wavepoint";
import type { Note } from "../../src/core/ports/store.ts";

/** What an attacker who can write the store has made of its records. */
export interface Attack {
  readonly head?: (head: RunHead) => RunHead | undefined;
  /** Of the whole journal of a run. */
  readonly entries?: (texts: readonly string[], run: string) => readonly string[];
  readonly note?: (note: Note) => Note;
  readonly blob?: (content: string | Uint8Array<ArrayBuffer> | undefined, hash: string) => string | Uint8Array<ArrayBuffer> | undefined;
  readonly row?: (row: CheckpointRow) => CheckpointRow;
}

/** A store whose records read as an attacker has changed them. */
export function attackedStore(store: Store, attack: Attack): Store {
  const { head = (same) => same, entries = (same) => same, note = (same) => same, blob = (same) => same, row = (same) => same } = attack;
  return {
    ...store,
    async head(run) {
      const found = await store.head(run);
      return found && head(found);
    },
    async read(run, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}) {
      const { base = 1 } = (await store.head(run)) ?? {};
      const texts = entries(await store.read(run), run);
      return texts.slice(Math.max(0, from - base + 1), Math.max(0, to - base + 1));
    },
    async runs(query) {
      const page = await store.runs(query);
      return { ...page, items: page.items.flatMap((item) => head(item) ?? []) };
    },
    async checkpoints(query) {
      const page = await store.checkpoints(query);
      return { ...page, items: page.items.map(row) };
    },
    notes: async (run, prefix) => (await store.notes(run, prefix)).map(note),
    getBlob: async (hash) => blob(await store.getBlob(hash), hash),
  };
}

/** A text with the letter at a place exchanged for another one of base64. */
export function flipped(text: string, at: number): string {
  const place = at % text.length;
  return `${text.slice(0, place)}${text[place] === "B" ? "C" : "B"}${text.slice(place + 1)}`;
}
