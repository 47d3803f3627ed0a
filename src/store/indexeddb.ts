import { assertStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { databaseConnection } from "./indexeddb/connection.ts";
import { loadLater } from "./indexeddb/load-later.ts";
import type { Peers } from "./indexeddb/peers.ts";
import { readHead } from "./indexeddb/read-head.ts";
import { runWriters } from "./indexeddb/run-writers.ts";
import type { Database } from "./indexeddb/schema.ts";

const RUN = "The run id";
const HASH = "The hash";

/** Keys by what they are called in errors. */
interface Keys {
  readonly [what: string]: unknown;
}

type Later = Awaited<ReturnType<typeof loadLater>>;

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
  let joining: Promise<Peers> | undefined;
  let closed = false;

  function join(): Promise<Peers> {
    joining ??= loadLater().then(({ joinPeers }) => joinPeers(name));
    return joining;
  }

  /** Those who follow a run learn of a change later where the code to tell them is not there. */
  function tell(run: string, now?: boolean): void {
    join().then(
      (peers) => peers.tell(run, now),
      () => (joining = undefined),
    );
  }

  /** Those who watch the store are told of what nobody could carry out. */
  function fail(thrown: unknown): never {
    join().then(
      (peers) => peers.tellFailure(thrown),
      () => (joining = undefined),
    );
    throw thrown;
  }

  /** Runs a call on the database once the keys it is given have been looked at. */
  async function use<T>(keys: Keys, call: (database: Database) => Promise<T>): Promise<T> {
    if (closed) throw storeClosed();
    for (const [what, key] of Object.entries(keys)) assertStoreKey(key, what);
    return connection.use(call).catch(fail);
  }

  function useLater<T>(keys: Keys, call: (later: Later, database: Database) => Promise<T>): Promise<T> {
    return use(keys, async (database) => call(await loadLater(), database));
  }

  return {
    kind: "indexeddb",
    durable: true,
    async commit(commit) {
      if (closed) throw storeClosed();
      checkCommit(commit);
      await writers.commit(commit).catch(fail);
      connection.mark();
      // Whoever waits for the end of a run, or its questions, is told of them at once.
      tell(commit.run, commit.head.status !== "running");
    },
    head: (run) => use({ [RUN]: run }, (database) => readHead(database, run)),
    read: (run, range) => useLater({ [RUN]: run }, async ({ readEntries }, database) => readEntries(database, run, range)),
    async runs(query = {}) {
      const page = await useLater({}, async ({ listRuns }, database) => listRuns(database, query));
      // A worker may have committed them, which can set no mark.
      if (page.items.length > 0) connection.mark();
      return page;
    },
    checkpoints: (query = {}) => useLater({}, async ({ listRows }, database) => listRows(database, query)),
    putBlob(hash, content) {
      // A view of a larger buffer would be stored with all of it.
      const own = typeof content === "string" ? content : content.slice();
      return useLater({ [HASH]: hash }, ({ putBlob }, database) => putBlob(database, hash, own));
    },
    getBlob: (hash) => useLater({ [HASH]: hash }, ({ readBlob }, database) => readBlob(database, hash)),
    sweepBlobs: (keep, before) => useLater({}, ({ sweepBlobs }, database) => sweepBlobs(database, keep, before)),
    async putNote(run, key, text) {
      await useLater({ [RUN]: run, "The key of the note": key }, ({ putNote }, database) => putNote(database, [run, key], text));
      tell(run);
    },
    notes: (run, prefix = "") => useLater({ [RUN]: run }, ({ listNotes }, database) => listNotes(database, run, prefix)),
    usage: () => useLater({}, ({ measureUsage }, database) => measureUsage(database)),
    async delete(run) {
      await useLater({ [RUN]: run }, ({ deleteRun }, database) => deleteRun(database, run));
      tell(run, true);
    },
    async claim(run, lost) {
      if (closed) throw storeClosed();
      assertStoreKey(run, RUN);
      return (await join()).claim(run, lost);
    },
    watch(heard, failed) {
      let ended = false;
      const watching = join().then(
        (peers) => (ended || closed ? undefined : peers.watch(heard, failed)),
        () => (joining = undefined),
      );
      return () => {
        ended = true;
        void watching.then((end) => end?.());
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      await writers.settled();
      await (await joining?.catch(() => undefined))?.close();
      await connection.close();
    },
  };
}
