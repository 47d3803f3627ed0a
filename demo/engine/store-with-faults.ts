import { WorkflowError, type Store } from "wavepoint";
import { SLOW_WRITE_MS, type Faults } from "./faults.ts";

/** A store that fails while the fault is switched on. Claims go through: they are locks of the browser, not of the database. */
export function storeWithFaults(store: Store, faults: () => Faults): Store {
  const read = <T>(call: () => Promise<T>): Promise<T> => (faults().lost ? Promise.reject(lost()) : call());

  /** `grows`: whether a full disk has no room for it. */
  async function write<T>(call: () => Promise<T>, grows = true): Promise<T> {
    if (faults().slow) await new Promise((resolve) => setTimeout(resolve, SLOW_WRITE_MS));
    if (faults().lost) throw lost();
    if (grows && faults().full) throw full();
    return call();
  }

  return {
    kind: store.kind,
    durable: store.durable,
    commit: (commit) => write(() => store.commit(commit)),
    putBlob: (hash, content) => write(() => store.putBlob(hash, content)),
    putNote: (run, key, text) => write(() => store.putNote(run, key, text), text !== undefined),
    sweepBlobs: (keep, before) => write(() => store.sweepBlobs(keep, before), false),
    delete: (run) => write(() => store.delete(run), false),
    head: (run) => read(() => store.head(run)),
    read: (run, range) => read(() => store.read(run, range)),
    runs: (query) => read(() => store.runs(query)),
    checkpoints: (query) => read(() => store.checkpoints(query)),
    getBlob: (hash) => read(() => store.getBlob(hash)),
    notes: (run, prefix) => read(() => store.notes(run, prefix)),
    ...(store.cache && {
      cache: {
        get: (key) => read(() => store.cache!.get(key)),
        put: (key, text, until) => write(() => store.cache!.put(key, text, until)),
        sweep: (before, most) => write(() => store.cache!.sweep(before, most), false),
      },
    }),
    usage: () => read(() => store.usage()),
    claim: (run, lost) => store.claim(run, lost),
    ...(store.watch ? { watch: (changed: Parameters<NonNullable<Store["watch"]>>[0]) => store.watch!(changed) } : {}),
    close: () => store.close(),
  };
}

function lost(): WorkflowError {
  return new WorkflowError(
    "STORE_LOST",
    "The connection to the database is gone (the fault panel pretends so). Switch the fault off, then go on: what was stored is still there.",
  );
}

function full(): WorkflowError {
  return new WorkflowError(
    "STORE_QUOTA",
    "The store is full (the fault panel pretends so), so this was not kept. Switch the fault off, then try again.",
  );
}
