import { WorkflowError } from "wavepoint";
import type { Store } from "wavepoint";

/** Where a process dies: at its n-th write, counted from 1, before it happened or after, when only the acknowledgement is lost. */
export interface StopPoint {
  readonly write: number;
  readonly when: "before" | "after";
}

/** A store as a process sees it that dies at a write: that call and all later ones fail. Without a point it only counts. */
export function stopAt(store: Store, point?: StopPoint): { readonly store: Store; writes(): number; isDead(): boolean } {
  let writes = 0;
  let isDead = false;

  function assertAlive(): void {
    if (isDead) throw new WorkflowError("STORE_FAILED", "The process has died.");
  }

  async function write(act: () => Promise<void>): Promise<void> {
    assertAlive();
    writes += 1;
    if (writes !== point?.write) return act();
    isDead = true;
    if (point.when === "after") await act();
    return assertAlive();
  }

  async function read<T>(act: () => Promise<T>): Promise<T> {
    assertAlive();
    return act();
  }

  return {
    writes: () => writes,
    isDead: () => isDead,
    store: {
      kind: store.kind,
      durable: store.durable,
      commit: (commit) => write(() => store.commit(commit)),
      putBlob: (hash, text) => write(() => store.putBlob(hash, text)),
      delete: (run) => write(() => store.delete(run)),
      head: (run) => read(() => store.head(run)),
      read: (run, range) => read(() => store.read(run, range)),
      runs: (query) => read(() => store.runs(query)),
      checkpoints: (query) => read(() => store.checkpoints(query)),
      getBlob: (hash) => read(() => store.getBlob(hash)),
      claim: (run) => read(() => store.claim(run)),
      close: async () => {},
    },
  };
}
