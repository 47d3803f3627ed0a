import { errorData } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";

type Watch = NonNullable<Store["watch"]>;

/** The listeners of a store. */
export interface Watchers {
  readonly size: number;
  add(...watcher: Parameters<Watch>): () => void;
  /** This store changed a run. What it changes within the same turn is reported once. */
  changed(run: string): void;
  /** Reports runs that were changed elsewhere; nothing stands for all of them, if it is not known which. */
  report(runs: Iterable<string | undefined>): void;
  failed(error: unknown): void;
  clear(): void;
}

/** No watchers at first. */
export function noWatchers(): Watchers {
  const watchers = new Set<Parameters<Watch>>();
  const changedHere = new Set<string>();

  function report(runs: Iterable<string | undefined>): void {
    for (const run of runs) for (const [changed] of watchers) changed(run);
  }

  return {
    get size() {
      return watchers.size;
    },
    add(...watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    changed(run) {
      if (watchers.size === 0) return;
      if (changedHere.size === 0) {
        queueMicrotask(() => {
          const runs = [...changedHere];
          changedHere.clear();
          report(runs);
        });
      }
      changedHere.add(run);
    },
    report,
    failed(error) {
      for (const [, failed] of watchers) failed?.(errorData(error, "STORE_FAILED"));
    },
    clear() {
      watchers.clear();
    },
  };
}
