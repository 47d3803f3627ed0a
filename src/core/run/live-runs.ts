import type { LiveRun } from "./live-run.ts";

/** The runs that an executor has in memory, by id. A `Map` is one that forgets none. */
export interface LiveRuns {
  get(id: string): LiveRun | undefined;
  set(id: string, run: LiveRun): unknown;
  delete(id: string): unknown;
  values(): Iterable<LiveRun>;
}

/** Remembers runs that a caller holds or that execute; the others are forgotten and read again. */
export function weakLiveRuns(): LiveRuns {
  const references: References = new Map();
  return {
    get: (id) => references.get(id)?.deref(),
    set(id, run) {
      references.set(id, new WeakRef(run));
      collected.register(run, { references, id });
    },
    delete: (id) => references.delete(id),
    *values() {
      for (const reference of references.values()) {
        const run = reference.deref();
        if (run) yield run;
      }
    },
  };
}

type References = Map<string, WeakRef<LiveRun>>;

/** Drops the entries of runs that were garbage collected. */
const collected = new FinalizationRegistry<{ readonly references: References; readonly id: string }>(({ references, id }) => {
  if (!references.get(id)?.deref()) references.delete(id);
});
