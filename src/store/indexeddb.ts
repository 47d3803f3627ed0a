import { assertStoreKey } from "../core/model/ids.ts";
import type { Release, Store } from "../core/ports/store.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { takeClaim } from "./indexeddb/claims.ts";
import { databaseConnection } from "./indexeddb/connection.ts";
import type * as later from "./indexeddb/later.ts";
import { readHead } from "./indexeddb/read-head.ts";
import { runWriters } from "./indexeddb/run-writers.ts";
import type { Database } from "./indexeddb/schema.ts";

const RUN = "The run id";
const HASH = "The hash";

/** Keys by what they are called in errors. */
interface Keys {
  readonly [what: string]: unknown;
}

type Later = typeof later;

/** Where an {@link indexedDbStore} keeps its data. */
export interface IndexedDbStoreOptions {
  /** Name of the database; one store has it to itself. */
  readonly name: string;
  /**
   * What to do where runs had been kept and the database was lost. `fail`: every call rejects with `STORE_RESET`. `accept`: begins anew.
   * Default: `fail`.
   */
  readonly onReset?: "fail" | "accept";
}

/**
 * A store in the browser's IndexedDB, shared by all tabs and workers of the origin. Nothing is opened before the first call; calls reject
 * with `STORE_UNAVAILABLE` where there is no IndexedDB (Node, some private windows), and with `STORE_BLOCKED` while another tab keeps an
 * older form of the database open: that may be tried again.
 */
export function indexedDbStore(options: IndexedDbStoreOptions): Store {
  const { name, onReset = "fail" } = options;
  const connection = databaseConnection(name, onReset);
  const writers = runWriters(connection);
  const held = new Set<{ readonly release: Release }>();
  let closed = false;

  /** Runs a call on the database once the keys it is given have been looked at. */
  async function use<T>(keys: Keys, call: (database: Database) => Promise<T>): Promise<T> {
    if (closed) throw storeClosed();
    for (const [what, key] of Object.entries(keys)) assertStoreKey(key, what);
    return connection.use(call);
  }

  function useLater<T>(keys: Keys, call: (later: Later, database: Database) => Promise<T>): Promise<T> {
    return use(keys, async (database) => call(await import("./indexeddb/later.ts"), database));
  }

  return {
    kind: "indexeddb",
    durable: true,
    async commit(commit) {
      if (closed) throw storeClosed();
      checkCommit(commit);
      await writers.commit(commit);
      connection.mark();
    },
    head: (run) => use({ [RUN]: run }, (database) => readHead(database, run)),
    read: (run, range) => useLater({ [RUN]: run }, async ({ readEntries }, database) => readEntries(database, run, range)),
    runs: (query = {}) => useLater({}, async ({ listRuns }, database) => listRuns(database, query)),
    checkpoints: (query = {}) => useLater({}, async ({ listRows }, database) => listRows(database, query)),
    putBlob(hash, content) {
      // A view of a larger buffer would be stored with all of it.
      const own = typeof content === "string" ? content : content.slice();
      return useLater({ [HASH]: hash }, ({ putBlob }, database) => putBlob(database, hash, own));
    },
    getBlob: (hash) => useLater({ [HASH]: hash }, ({ readBlob }, database) => readBlob(database, hash)),
    sweepBlobs: (keep, before) => useLater({}, ({ sweepBlobs }, database) => sweepBlobs(database, keep, before)),
    putNote: (run, key, text) =>
      useLater({ [RUN]: run, "The key of the note": key }, ({ putNote }, database) => putNote(database, [run, key], text)),
    notes: (run, prefix = "") => useLater({ [RUN]: run }, ({ listNotes }, database) => listNotes(database, run, prefix)),
    usage: () => useLater({}, ({ measureUsage }, database) => measureUsage(database)),
    delete: (run) => useLater({ [RUN]: run }, ({ deleteRun }, database) => deleteRun(database, run)),
    async claim(run) {
      if (closed) throw storeClosed();
      assertStoreKey(run, RUN);
      const taken = await takeClaim(`wavepoint:${name}:${run}`);
      if (taken === undefined) return undefined;
      const claim = { release: taken };
      held.add(claim);
      return async () => {
        held.delete(claim);
        await taken();
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all([writers.settled(), ...[...held].map(({ release }) => release())]);
      await connection.close();
    },
  };
}
