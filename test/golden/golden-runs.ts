import type { BlobContent, CheckpointRow, Note, RunHead, Store } from "wavepoint";

/** What a store holds of some runs, through its port. */
export interface GoldenRuns {
  readonly runs: readonly GoldenRun[];
  readonly blobs: readonly GoldenBlob[];
}

export interface GoldenRun {
  readonly head: RunHead;
  /** What is kept of the journal; the first one is the base where the head has one. */
  readonly entries: readonly string[];
  readonly notes: readonly Note[];
  readonly checkpoints: readonly CheckpointRow[];
}

/** A text, or bytes in base64. */
export interface GoldenBlob {
  readonly hash: string;
  readonly text?: string;
  readonly base64?: string;
}

/** All that a store holds of its runs, with the blobs that they name. */
export async function dumpRuns(store: Store): Promise<GoldenRuns> {
  const { items } = await store.runs({ limit: 1_000 });
  const runs = await Promise.all(
    items.map(async (head) => ({
      head,
      entries: await store.read(head.id),
      notes: await store.notes(head.id),
      checkpoints: (await store.checkpoints({ run: head.id, limit: 1_000 })).items,
    })),
  );
  const hashes = new Set(items.flatMap(({ definition, blobs = [] }) => [definition, ...blobs]));
  const blobs = await Promise.all([...hashes].map(async (hash) => ({ hash, ...blobAsJson((await store.getBlob(hash))!) })));
  return { runs, blobs };
}

function blobAsJson(content: BlobContent): Omit<GoldenBlob, "hash"> {
  return typeof content === "string" ? { text: content } : { base64: btoa(String.fromCharCode(...content)) };
}

export function bytesFrom(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Puts golden runs into an empty store. */
export async function restoreRuns({ runs, blobs }: GoldenRuns, store: Store): Promise<void> {
  for (const { hash, text, base64 } of blobs) await store.putBlob(hash, text ?? bytesFrom(base64!));
  for (const { head, entries, notes, checkpoints } of runs) {
    const [first, ...others] = entries;
    const journal = head.base === undefined ? { entries } : { entries: others, base: { at: head.base, text: first! } };
    await store.commit({
      run: head.id,
      expected: undefined,
      head: { ...head, revision: 1 },
      ...journal,
      checkpoints,
      durability: "strict",
    });
    for (const { key, text } of notes) await store.putNote(head.id, key, text);
  }
}
