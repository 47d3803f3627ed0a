import type { IDBPDatabase } from "idb";
import { assertStoreKey } from "../core/model/ids.ts";
import type { Release, Store } from "../core/ports/store.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { takeClaim } from "./indexeddb/claims.ts";
import { databaseConnection } from "./indexeddb/connection.ts";
import { readEntries, readHead } from "./indexeddb/read.ts";
import { runWriters } from "./indexeddb/run-writers.ts";
import type { Schema } from "./indexeddb/schema.ts";
import { readRange } from "./read-range.ts";

/** Where an {@link indexedDbStore} keeps its data. */
export interface IndexedDbStoreOptions {
  /** Name of the database; one store has it to itself. */
  readonly name: string;
}

/**
 * A store in the browser's IndexedDB, shared by all tabs and workers of the origin. Nothing is opened before the first call; calls reject
 * with `STORE_UNAVAILABLE` where there is no IndexedDB (Node, some private windows), and with `STORE_BLOCKED` while another tab keeps an
 * older form of the database open: that may be tried again.
 */
export function indexedDbStore(options: IndexedDbStoreOptions): Store {
  const { name } = options;
  const connection = databaseConnection(name);
  const writers = runWriters(connection);
  const held = new Set<{ readonly release: Release }>();
  let closed = false;

  /** Runs a call on the database once its arguments have been looked at. */
  async function use<T>(check: () => void, call: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    if (closed) throw storeClosed();
    check();
    return connection.use(call);
  }

  return {
    kind: "indexeddb",
    durable: true,
    async commit(commit) {
      if (closed) throw storeClosed();
      checkCommit(commit);
      await writers.commit(commit);
    },
    head(run) {
      return use(
        () => assertStoreKey(run, "The run id"),
        (database) => readHead(database, run),
      );
    },
    async read(run, range) {
      return use(
        () => assertStoreKey(run, "The run id"),
        (database) => readEntries(database, run, readRange(range)),
      );
    },
    runs(query = {}) {
      return use(
        () => {},
        async (database) => (await import("./indexeddb/lists.ts")).listRuns(database, query),
      );
    },
    checkpoints(query = {}) {
      return use(
        () => {},
        async (database) => (await import("./indexeddb/lists.ts")).listRows(database, query),
      );
    },
    putBlob(hash, text) {
      return use(
        () => assertStoreKey(hash, "The hash"),
        async (database) => {
          const transaction = database.transaction("blobs", "readwrite", { durability: "strict" });
          await Promise.all([transaction.store.put(text, hash), transaction.done]);
        },
      );
    },
    getBlob(hash) {
      return use(
        () => assertStoreKey(hash, "The hash"),
        (database) => database.get("blobs", hash),
      );
    },
    delete(run) {
      return use(
        () => assertStoreKey(run, "The run id"),
        async (database) => (await import("./indexeddb/delete-run.ts")).deleteRun(database, run),
      );
    },
    async claim(run) {
      if (closed) throw storeClosed();
      assertStoreKey(run, "The run id");
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
