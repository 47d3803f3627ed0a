import { WorkflowError } from "wavepoint";
import type { Store } from "wavepoint";

/** Where a process dies: at its n-th write, counted from 1, before it happened or after, when only the acknowledgement is lost. */
export interface StopPoint {
  readonly write: number;
  readonly when: "before" | "after";
}

export interface StoppingStore {
  readonly store: Store;
  /** How many writes have begun. */
  writes(): number;
  isDead(): boolean;
  /** Resolves when no write is under way: what a dead process had handed over is then on the disk or not, but does not land later. */
  quiet(): Promise<void>;
}

/** A store as a process sees it that dies at a write: that call and all later ones fail. Without a point it only counts. */
export function stopAt(store: Store, point?: StopPoint): StoppingStore {
  const underWay = new Set<Promise<unknown>>();
  let writes = 0;
  let isDead = false;

  function assertAlive(): void {
    if (isDead) throw new WorkflowError("STORE_FAILED", "The process has died.");
  }

  async function write(act: () => Promise<void>): Promise<void> {
    assertAlive();
    writes += 1;
    isDead = writes === point?.write;
    if (!isDead || point?.when === "after") await track(act());
    assertAlive();
  }

  async function track(writing: Promise<void>): Promise<void> {
    const done = writing.finally(() => underWay.delete(done));
    underWay.add(done);
    await done;
  }

  async function read<T>(act: () => Promise<T>): Promise<T> {
    assertAlive();
    return act();
  }

  return {
    writes: () => writes,
    isDead: () => isDead,
    async quiet() {
      await Promise.allSettled(underWay);
    },
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
