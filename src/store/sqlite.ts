import { assertOptions } from "../core/model/assert-options.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import { assertClient } from "./assert-client.ts";
import { storeClosed } from "./check-commit.ts";
import { type ListedRun, pageOfHeads } from "./listed-heads.ts";
import { readRange } from "./read-range.ts";
import { damaged, readHead } from "./stored-head.ts";
import { type ListedRow, pageOfCheckpoints, selectRows, selectRuns } from "./sql/pages.ts";
import { leasesIn, leaseTime } from "./leases.ts";
import { readText, storedText } from "./stored-text.ts";
import { noWatchers } from "./watchers.ts";
import { withConnection } from "./with-connection.ts";
import { changesOf, noteChange } from "./sqlite/changes.ts";
import { claimRows } from "./sqlite/claims.ts";
import { commitsTo, entriesOf } from "./sqlite/commits.ts";
import { type Connection, connectionTo, type SqliteDatabase } from "./sqlite/connection.ts";
import { ENTRIES, HEAD, prepareDatabase } from "./sqlite/schema.ts";

export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./sqlite/connection.ts";

/** How a {@link sqliteStore} works. */
export interface SqliteStoreOptions {
  /**
   * How long a process that is frozen or cannot be seen from this machine keeps a run that it holds, in milliseconds; from 1,000. One that died on
   * this machine loses its runs at once. Default: 15,000.
   */
  readonly leaseMs?: number;
}

/**
 * A store in a SQLite database that you have opened with a synchronous package: `libsql`, `better-sqlite3` or `node:sqlite`. The names of its tables begin
 * with `wavepoint_`; they may share the database with yours. Several processes may use one file; it must be on a local disk. The store switches the database
 * to write-ahead logging and full synchronisation. All commits of one turn share one sync. `close` leaves the database open, since it is yours. Throws
 * `POLICY_INVALID` for what is no database, and if `leaseMs` is too short. Errors of the database are thrown by the calls of the store, as `STORE_…`.
 */
export function sqliteStore(database: SqliteDatabase, options: SqliteStoreOptions = {}): Store {
  assertOptions("sqliteStore", options, { leaseMs: true });
  assertClient("sqliteStore", database, ["prepare"], "an open database of libsql, better-sqlite3, node:sqlite or bun:sqlite");
  const leaseMs = leaseTime("sqliteStore", options.leaseMs);
  const connection = connectionTo(database);
  const watchers = noWatchers();
  const changes = changesOf(database);
  const leases = leasesIn(claimRows(open, leaseMs), leaseMs);
  const commits = commitsTo(open, changes);
  let isPrepared = false;
  let isClosed = false;

  function open(): Connection {
    if (isClosed) throw storeClosed();
    if (!isPrepared) prepareDatabase(connection);
    isPrepared = true;
    return connection;
  }

  return {
    kind: "sqlite",
    searches: true,
    get durable() {
      const [main] = connection.all<{ readonly file: string | null }>("select file from pragma_database_list where name = 'main'");
      return Boolean(main?.file);
    },
    commit: commits.add,
    async head(run) {
      assertStoreKey(run, "The run id");
      const [row] = open().all<{ readonly head: string }>(`select ${HEAD} from wavepoint_runs where id = ?`, [run]);
      return row && readHead(run, row.head);
    },
    async read(run, range) {
      assertStoreKey(run, "The run id");
      const { from, to } = readRange(range);
      return readEntries(open(), run, from, to);
    },
    async runs(query = {}) {
      const { text, values } = selectRuns(query, () => "?", HEAD);
      return pageOfHeads(open().all<ListedRun>(text, values), query);
    },
    async checkpoints(query = {}) {
      const { text, values } = selectRows(query, () => "?");
      return pageOfCheckpoints(open().all<ListedRow>(text, values), query);
    },
    async putBlob(hash, content) {
      assertStoreKey(hash, "The hash");
      const isText = typeof content === "string";
      open().writing("strict", () =>
        connection.run(
          "insert into wavepoint_blobs (hash, text, bytes, kept_at) values (?, ?, ?, ?) on conflict (hash) do update set kept_at = excluded.kept_at",
          [hash, isText ? storedText(content) : null, isText ? null : content, Date.now()],
        ),
      );
    },
    async getBlob(hash) {
      assertStoreKey(hash, "The hash");
      type Row = { readonly text: string | null; readonly bytes: Uint8Array<ArrayBuffer> | ArrayBuffer };
      const [row] = open().all<Row>("select text, bytes from wavepoint_blobs where hash = ?", [hash]);
      if (row === undefined) return undefined;
      return row.text === null ? new Uint8Array(row.bytes) : readText(row.text);
    },
    async sweepBlobs(keep, before) {
      const stale = open().all<{ readonly hash: string }>("select hash from wavepoint_blobs where kept_at < ?", [before]);
      const named = stale.filter(({ hash }) => !keep.has(hash));
      return connection.writing("relaxed", () => {
        let swept = 0;
        for (const { hash } of named) swept += connection.run("delete from wavepoint_blobs where hash = ? and kept_at < ?", [hash, before]);
        return swept;
      });
    },
    async putNote(run, key, text) {
      assertStoreKey(run, "The run id");
      assertStoreKey(key, "The key of the note");
      open().writing("relaxed", () => {
        if (text === undefined) connection.run("delete from wavepoint_notes where run = ? and key = ?", [run, key]);
        else {
          connection.run("insert or replace into wavepoint_notes (run, key, body) select id, ?, ? from wavepoint_runs where id = ?", [
            key,
            storedText(text),
            run,
          ]);
        }
        noteChange(connection, run, changes.watcher);
      });
      changes.changed(run);
    },
    async notes(run, prefix = "") {
      assertStoreKey(run, "The run id");
      type Row = { readonly key: string; readonly body: string };
      const rows = open().all<Row>("select key, body from wavepoint_notes where run = ? and key >= ? order by key", [run, prefix]);
      return rows.filter(({ key }) => key.startsWith(prefix)).map(({ key, body }) => ({ key, text: readText(body) }));
    },
    cache: {
      async get(key) {
        assertStoreKey(key, "The key of the cache");
        const [row] = open().all<{ readonly body: string }>("select body from wavepoint_cache where key = ?", [key]);
        return row && readText(row.body);
      },
      async put(key, text, until) {
        assertStoreKey(key, "The key of the cache");
        open().writing("relaxed", () =>
          connection.run("insert or replace into wavepoint_cache (key, body, until) values (?, ?, ?)", [key, storedText(text), until]),
        );
      },
      async sweep(before, most) {
        return open().writing(
          "relaxed",
          () =>
            connection.run("delete from wavepoint_cache where until < ?", [before]) +
            connection.run(
              "delete from wavepoint_cache where key in (select key from wavepoint_cache order by until desc limit -1 offset ?)",
              [most],
            ),
        );
      },
    },
    async usage() {
      const [runs] = open().all<{ readonly count: number }>("select count(*) as count from wavepoint_runs");
      const [pages] = connection.all<{ readonly page_count: number }>("pragma page_count");
      const [page] = connection.all<{ readonly page_size: number }>("pragma page_size");
      return { runs: runs!.count, bytes: pages!.page_count * page!.page_size };
    },
    async delete(run) {
      assertStoreKey(run, "The run id");
      open().writing("strict", () => {
        for (const { number } of connection.all<{ readonly number: number }>("select number from wavepoint_runs where id = ?", [run])) {
          connection.run("delete from wavepoint_entries where id >= (? << 32) and id < (? << 32)", [number, number + 1]);
        }
        for (const table of ["runs", "search"]) connection.run(`delete from wavepoint_${table} where id = ?`, [run]);
        for (const table of ["checkpoints", "notes"]) connection.run(`delete from wavepoint_${table} where run = ?`, [run]);
        noteChange(connection, run, changes.watcher);
      });
      changes.changed(run);
    },
    async claim(run, lost) {
      assertStoreKey(run, "The run id");
      open();
      return leases.take(run, lost);
    },
    watch(...watcher) {
      open();
      changes.join(watchers);
      const end = watchers.add(...watcher);
      return () => {
        end();
        if (watchers.size === 0) changes.leave(watchers);
      };
    },
    async close() {
      if (isClosed) return;
      changes.leave(watchers);
      watchers.clear();
      await leases.close();
      isClosed = true;
    },
  };
}

/**
 * Opens a SQLite file with the package `libsql`, which must be installed. Returns a {@link sqliteStore} whose `close` closes the file. `:memory:` keeps
 * nothing. Throws `STORE_UNAVAILABLE` without the package, and `STORE_FAILED` if the file cannot be opened.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const database = await openDatabase(path);
  return withConnection(
    () => sqliteStore(database, options),
    () => database.close(),
  );
}

async function openDatabase(path: string): Promise<SqliteDatabase & { close(): void }> {
  // Bundlers must not look for a package that most programs do not have.
  const name: string = "libsql";
  const loaded = await import(/* @vite-ignore */ name).catch((cause: unknown) => {
    throw new WorkflowError("STORE_UNAVAILABLE", 'A SQLite file is opened with the package "libsql". Install it: npm install libsql', {
      cause,
    });
  });
  try {
    // `libsql` ends the process if it meets a NUL.
    if (path.includes("\0")) throw new Error("no path has a NUL");
    const { default: Database } = loaded as { readonly default: new (path: string) => SqliteDatabase & { close(): void } };
    return new Database(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const wayOut = "Its directory has to be there, and this process has to have the right to read and write there.";
    throw new WorkflowError("STORE_FAILED", `SQLite cannot open ${JSON.stringify(path)}: ${reason}. ${wayOut}`, { cause });
  }
}

function readEntries(connection: Connection, run: string, from: number, to: number): readonly string[] {
  return connection.reading(() => {
    type Row = { readonly number: number; readonly entries: number; readonly base: number | null };
    const [row] = connection.all<Row>(`select number, ${ENTRIES} as entries, base from wavepoint_runs where id = ?`, [run]);
    if (row === undefined) return [];
    const first = Math.max(from, row.base === null ? 0 : row.base - 1);
    const last = Math.min(to, row.entries);
    const found = entriesOf(connection, row.number, first, last);
    for (const [index, [place]] of found.entries()) if (place !== first + index) throw damaged(run, `entry ${first + index} is missing`);
    if (found.length < last - first) throw damaged(run, `entry ${first + found.length} is missing`);
    return found.map(([, entry]) => entry);
  });
}
