import type { Store } from "wavepoint";

/** A store that does what the given one does, and counts the calls that write. */
export function watchStore(store: Store): { readonly store: Store; writes(): number } {
  let writes = 0;
  return {
    writes: () => writes,
    store: {
      kind: store.kind,
      durable: store.durable,
      commit(commit) {
        writes += 1;
        return store.commit(commit);
      },
      head: (run) => store.head(run),
      read: (run, range) => store.read(run, range),
      runs: (query) => store.runs(query),
      checkpoints: (query) => store.checkpoints(query),
      putBlob(hash, text) {
        writes += 1;
        return store.putBlob(hash, text);
      },
      getBlob: (hash) => store.getBlob(hash),
      delete(run) {
        writes += 1;
        return store.delete(run);
      },
      sweepBlobs: (keep, before) => store.sweepBlobs(keep, before),
      putNote: (run, key, text) => store.putNote(run, key, text),
      notes: (run, prefix) => store.notes(run, prefix),
      usage: () => store.usage(),
      claim: (run) => store.claim(run),
      close: () => store.close(),
    },
  };
}

/** Everything a store keeps about runs, as one text: equal texts, equal bytes. */
export async function dumpStore(store: Store): Promise<string> {
  const { items } = await store.runs({ limit: 1_000 });
  const journals = await Promise.all(items.map((head) => store.read(head.id)));
  const checkpoints = await store.checkpoints({ limit: 1_000 });
  return JSON.stringify([items, journals, checkpoints.items]);
}
