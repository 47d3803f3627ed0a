import { assertStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { databaseConnection } from "./indexeddb/connection.ts";
import { putCached, readCached, sweepCache } from "./indexeddb/cache.ts";
import { putBlob, readBlob, sweepBlobs } from "./indexeddb/blobs.ts";
import { deleteRun } from "./indexeddb/delete-run.ts";
import { listRows, listRuns } from "./indexeddb/lists.ts";
import { listNotes, putNote } from "./indexeddb/notes.ts";
import { joinPeers, type Peers } from "./indexeddb/peers.ts";
import { readEntries, readHead } from "./indexeddb/read-entries.ts";
import { measureUsage } from "./indexeddb/usage.ts";
import { runWriters } from "./indexeddb/run-writers.ts";
import type { Database } from "./indexeddb/schema.ts";
import { assertOptions } from "../core/model/assert-options.ts";

const RUN = "The run id";
const HASH = "The hash";
const CACHE_KEY = "The key of the cache";

/** Keys by what they are called in errors. */
interface Keys {
  readonly [what: string]: unknown;
}

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
 * A store in the browser's IndexedDB, shared by all tabs and workers of the origin. Opens nothing before the first call. Calls reject with
 * `STORE_UNAVAILABLE` without IndexedDB (Node, some private windows), and with `STORE_BLOCKED` while another tab keeps an older form of the database open:
 * try those again.
 */
export function indexedDbStore(options: IndexedDbStoreOptions): Store {
  assertOptions("indexedDbStore", options, { name: true, onReset: true });
  const { name, onReset = "fail" } = options;
  const connection = databaseConnection(name, onReset);
  const writers = runWriters(connection);
  let joined: Peers | undefined;
  let closed = false;

  function peers(): Peers {
    return (joined ??= joinPeers(name));
  }

  /** Watchers of the store are notified of work that failed. */
  function fail(thrown: unknown): never {
    if (!closed) peers().tellFailure(thrown);
    throw thrown;
  }

  /** Runs a call on the database once the keys it is given have been looked at. */
  async function use<T>(keys: Keys, call: (database: Database) => Promise<T>): Promise<T> {
    if (closed) throw storeClosed();
    for (const [what, key] of Object.entries(keys)) assertStoreKey(key, what);
    return connection.use(call).catch(fail);
  }

  return {
    kind: "indexeddb",
    durable: true,
    async commit(commit) {
      if (closed) throw storeClosed();
      checkCommit(commit);
      await writers.commit(commit).catch(fail);
      connection.mark();
      // Listeners that wait for the end of a run, or for its questions, are notified at once.
      peers().tell(commit.run, commit.head.status !== "running");
    },
    head: (run) => use({ [RUN]: run }, (database) => readHead(database, run)),
    read: (run, range) => use({ [RUN]: run }, (database) => readEntries(database, run, range)),
    async runs(query = {}) {
      const page = await use({}, (database) => listRuns(database, query));
      // A worker may have committed them, which can set no mark.
      if (page.items.length > 0) connection.mark();
      return page;
    },
    checkpoints: (query = {}) => use({}, (database) => listRows(database, query)),
    putBlob(hash, content) {
      // A view of a larger buffer would be stored with all of it.
      const own = typeof content === "string" ? content : content.slice();
      return use({ [HASH]: hash }, (database) => putBlob(database, hash, own));
    },
    getBlob: (hash) => use({ [HASH]: hash }, (database) => readBlob(database, hash)),
    sweepBlobs: (keep, before) => use({}, (database) => sweepBlobs(database, keep, before)),
    async putNote(run, key, text) {
      await use({ [RUN]: run, "The key of the note": key }, (database) => putNote(database, [run, key], text));
      peers().tell(run);
    },
    notes: (run, prefix = "") => use({ [RUN]: run }, (database) => listNotes(database, run, prefix)),
    cache: {
      get: (key) => use({ [CACHE_KEY]: key }, (database) => readCached(database, key)),
      put: (key, text, until) => use({ [CACHE_KEY]: key }, (database) => putCached(database, key, { text, until })),
      sweep: (before, most) => use({}, (database) => sweepCache(database, before, most)),
    },
    usage: () => use({}, (database) => measureUsage(database)),
    async delete(run) {
      await use({ [RUN]: run }, (database) => deleteRun(database, run));
      peers().tell(run, true);
    },
    async claim(run, lost) {
      if (closed) throw storeClosed();
      assertStoreKey(run, RUN);
      return peers().claim(run, lost);
    },
    watch: (changed, failed) => (closed ? () => {} : peers().watch(changed, failed)),
    async close() {
      if (closed) return;
      closed = true;
      await writers.settled();
      await joined?.close();
      await connection.close();
    },
  };
}
