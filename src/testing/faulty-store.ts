import { WorkflowError } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";

/** Which writes of a {@link faultyStore} fail, and how. Made by {@link failAt}. */
export interface FaultPlan {
  readonly write: number;
  readonly times: "once" | "forever";
  readonly when: "before" | "after";
  readonly code: "STORE_FAILED" | "STORE_LOST" | "STORE_QUOTA";
}

/** How the writes of a plan fail. */
export interface FaultOptions {
  /** `once`: this write alone; `forever`: this one and all that follow, as after a crash. Default: `once`. */
  readonly times?: FaultPlan["times"];
  /** `before`: nothing is written; `after`: it is written, and the acknowledgement is lost. Default: `before`. */
  readonly when?: FaultPlan["when"];
  /** Default: `STORE_FAILED`. */
  readonly code?: FaultPlan["code"];
}

/** A plan that fails the write with this number. Writes count from 1: every `commit`, `putBlob`, `putNote` and `delete`. */
export function failAt(write: number, options: FaultOptions = {}): FaultPlan {
  const { times = "once", when = "before", code = "STORE_FAILED" } = options;
  return { write, times, when, code };
}

/** A store whose writes are counted and fail as planned. */
export interface FaultyStore extends Store {
  /** How many writes were asked for so far, those that failed included. */
  readonly writes: number;
}

/**
 * Wraps a store so that it fails on purpose; without a plan it only counts. Reads, claims and `close` go through. To try every crash point
 * of a run, count its writes once, then fail each of them `forever` in a run of its own and go on with the store inside.
 */
export function faultyStore(store: Store, plan?: FaultPlan): FaultyStore {
  let writes = 0;

  async function write(call: () => Promise<void>): Promise<void> {
    writes += 1;
    const fails = plan !== undefined && (plan.times === "once" ? writes === plan.write : writes >= plan.write);
    if (!fails) return call();
    // Where failures last, only the first of them may have happened: whatever broke stays broken.
    if (plan.when === "after" && writes === plan.write) await call();
    throw new WorkflowError(plan.code, `Write ${writes} fails, as the test planned.`, { details: { write: writes } });
  }

  return {
    kind: store.kind,
    durable: store.durable,
    get writes() {
      return writes;
    },
    commit: (commit) => write(() => store.commit(commit)),
    putBlob: (hash, text) => write(() => store.putBlob(hash, text)),
    putNote: (run, key, text) => write(() => store.putNote(run, key, text)),
    delete: (run) => write(() => store.delete(run)),
    head: (run) => store.head(run),
    read: (run, range) => store.read(run, range),
    runs: (query) => store.runs(query),
    checkpoints: (query) => store.checkpoints(query),
    getBlob: (hash) => store.getBlob(hash),
    notes: (run, prefix) => store.notes(run, prefix),
    sweepBlobs: (keep, before) => store.sweepBlobs(keep, before),
    usage: () => store.usage(),
    claim: (run) => store.claim(run),
    close: () => store.close(),
  };
}
