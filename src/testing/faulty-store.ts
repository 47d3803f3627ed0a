import { WorkflowError, type ErrorData } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** Which calls of a {@link faultyStore} fail, and how. Made by {@link failAt}. */
export interface FaultPlan {
  readonly calls: "writes" | "reads";
  readonly at: number;
  readonly times: "once" | "forever";
  readonly when: "before" | "after";
  readonly code: "STORE_FAILED" | "STORE_LOST" | "STORE_QUOTA";
}

/** How the calls of a plan fail. */
export interface FaultOptions {
  /** What is counted, and fails. Default: `writes`. */
  readonly calls?: FaultPlan["calls"];
  /** `once`: this call alone; `forever`: this one and all that follow, as after a crash. Default: `once`. */
  readonly times?: FaultPlan["times"];
  /** `before`: nothing is done; `after`: it is done, and the acknowledgement is lost. Default: `before`. */
  readonly when?: FaultPlan["when"];
  /** Default: `STORE_FAILED`. */
  readonly code?: FaultPlan["code"];
}

/**
 * A plan that fails the write, or the read, with this number. Both count from 1. Writes are `commit`, `putBlob`, `sweepBlobs`, `putNote`,
 * `delete`, and `put` and `sweep` of the cache; reads are `head`, `read`, `runs`, `checkpoints`, `getBlob`, `notes`, `usage`, and `get` of the cache.
 */
export function failAt(at: number, options: FaultOptions = {}): FaultPlan {
  assertOptions("failAt", options, { calls: true, times: true, when: true, code: true });
  const { calls = "writes", times = "once", when = "before", code = "STORE_FAILED" } = options;
  return { calls, at, times, when, code };
}

/** A store whose calls are counted and fail as planned. */
export interface FaultyStore extends Store {
  /** How many writes were asked for so far, those that failed included. */
  readonly writes: number;
  /** How many reads were asked for so far. */
  readonly reads: number;
  /** From now on nothing fails: there is room again, or the disk is whole. */
  mend(): void;
}

/**
 * Wraps a store so that it fails on purpose; without a plan it only counts. Claims and `close` go through. To try every crash point of a run,
 * count its writes once, then fail each of them `forever` in a run of its own and go on with the store inside.
 */
export function faultyStore(store: Store, plan?: FaultPlan): FaultyStore {
  const counts = { writes: 0, reads: 0 };
  const failureWatchers = new Set<(error: ErrorData) => void>();
  let mended = false;

  async function attempt<T>(calls: FaultPlan["calls"], call: () => Promise<T>): Promise<T> {
    counts[calls] += 1;
    const count = counts[calls];
    if (plan?.calls !== calls || mended || count < plan.at || (plan.times === "once" && count > plan.at)) return call();
    // Where failures last, only the first of them may have happened: what broke stays broken.
    if (plan.when === "after" && count === plan.at) await call();
    const name = calls === "writes" ? "Write" : "Read";
    const error = new WorkflowError(plan.code, `${name} ${count} fails, as the test planned.`, { details: { [calls]: count } });
    for (const failed of failureWatchers) failed(error.toJSON());
    throw error;
  }

  const write = <T>(call: () => Promise<T>): Promise<T> => attempt("writes", call);
  const read = <T>(call: () => Promise<T>): Promise<T> => attempt("reads", call);

  return {
    kind: store.kind,
    durable: store.durable,
    get writes() {
      return counts.writes;
    },
    get reads() {
      return counts.reads;
    },
    mend() {
      mended = true;
    },
    commit: (commit) => write(() => store.commit(commit)),
    putBlob: (hash, content) => write(() => store.putBlob(hash, content)),
    sweepBlobs: (keep, before) => write(() => store.sweepBlobs(keep, before)),
    putNote: (run, key, text) => write(() => store.putNote(run, key, text)),
    delete: (run) => write(() => store.delete(run)),
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
        sweep: (before, most) => write(() => store.cache!.sweep(before, most)),
      },
    }),
    usage: () => read(() => store.usage()),
    claim: (run, lost) => store.claim(run, lost),
    ...(store.watch && {
      watch(changed, failed = () => {}) {
        const end = store.watch!(changed, failed);
        failureWatchers.add(failed);
        return () => {
          end();
          failureWatchers.delete(failed);
        };
      },
    }),
    close: () => store.close(),
  };
}
