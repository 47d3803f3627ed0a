import { WorkflowError } from "wavepoint";
import type { Store } from "wavepoint";
import { failAt, faultyStore } from "wavepoint/testing";

/** Where a process dies: at its n-th write, counted from 1, before it happened or after, when only the acknowledgement is lost. */
export interface StopPoint {
  readonly write: number;
  readonly when: "before" | "after";
}

const IS_LONG = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined;

/** Each place where a process may die that asks for so many writes: before and after the first, before and after the second, and so on. */
export function everyStopPoint(writes: number): readonly StopPoint[] {
  return Array.from({ length: writes * 2 }, (_, i) => ({ write: (i >> 1) + 1, when: i % 2 === 0 ? "before" : "after" }));
}

/** At each write one of them, before and after in turns; in the long tier all. */
export function stopPoints(writes: number): readonly StopPoint[] {
  return everyStopPoint(writes).filter((_, i) => IS_LONG || i % 4 === 0 || i % 4 === 3);
}

export interface StoppingStore {
  readonly store: Store;
  /** How many writes were asked for. */
  writes(): number;
  /** Whether the point was reached. */
  isReached(): boolean;
  /** Resolves when no write is under way: what a dead process had handed over is then on the disk or not, but does not land later. */
  quiet(): Promise<void>;
}

/** A store as a process sees it that dies at a write: from then on nothing can be written or read. Without a point it only counts. */
export function stopAt(store: Store, point?: StopPoint): StoppingStore {
  const faulty = faultyStore(store, point && failAt(point.write, { when: point.when, times: "forever" }));
  const underWay = new Set<Promise<unknown>>();
  const isReached = (): boolean => point !== undefined && faulty.writes >= point.write;

  function assertAlive(): void {
    if (isReached()) throw new WorkflowError("STORE_FAILED", "The process has died.");
  }

  async function write(act: () => Promise<void>): Promise<void> {
    const writing = act().finally(() => underWay.delete(writing));
    underWay.add(writing);
    await writing;
    assertAlive();
  }

  async function read<T>(act: () => Promise<T>): Promise<T> {
    assertAlive();
    return act();
  }

  return {
    writes: () => faulty.writes,
    isReached,
    async quiet() {
      await Promise.allSettled(underWay);
    },
    store: {
      kind: store.kind,
      durable: store.durable,
      commit: (commit) => write(() => faulty.commit(commit)),
      putBlob: (hash, text) => write(() => faulty.putBlob(hash, text)),
      delete: (run) => write(() => faulty.delete(run)),
      putNote: (run, key, text) => write(() => faulty.putNote(run, key, text)),
      sweepBlobs: (keep, before) => read(() => faulty.sweepBlobs(keep, before)),
      notes: (run, prefix) => read(() => faulty.notes(run, prefix)),
      usage: () => read(() => faulty.usage()),
      head: (run) => read(() => faulty.head(run)),
      read: (run, range) => read(() => faulty.read(run, range)),
      runs: (query) => read(() => faulty.runs(query)),
      checkpoints: (query) => read(() => faulty.checkpoints(query)),
      ...(faulty.cache && {
        cache: {
          get: (key) => read(() => faulty.cache!.get(key)),
          put: (key, text, until) => write(() => faulty.cache!.put(key, text, until)),
          sweep: (before, most) => read(() => faulty.cache!.sweep(before, most)),
        },
      }),
      getBlob: (hash) => read(() => faulty.getBlob(hash)),
      claim: (run) => read(() => faulty.claim(run)),
      close: async () => {},
    },
  };
}
