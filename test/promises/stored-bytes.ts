import type { CheckpointRow, Note, RunHead, Store } from "wavepoint";

/** What is stored of one run. */
export interface StoredRun {
  readonly head: RunHead;
  readonly entries: readonly string[];
  readonly notes: readonly Note[];
  readonly rows: readonly CheckpointRow[];
}

/** All that is stored of all runs, one after another. */
export async function storedRuns(store: Store): Promise<readonly StoredRun[]> {
  const { items } = await store.runs({ limit: 1_000 });
  return Promise.all(
    items.map(async (head) => ({
      head,
      entries: await store.read(head.id),
      notes: await store.notes(head.id),
      rows: (await store.checkpoints({ run: head.id, limit: 1_000 })).items,
    })),
  );
}

/** The same store, and the hashes of the blobs that are put into it. */
export function watchBlobs(store: Store): { readonly store: Store; readonly blobs: ReadonlySet<string> } {
  const blobs = new Set<string>();
  const watched: Store = {
    ...store,
    async putBlob(hash, content) {
      blobs.add(hash);
      await store.putBlob(hash, content);
    },
  };
  return { store: watched, blobs };
}
