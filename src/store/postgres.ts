import { assertOptions } from "../core/model/assert-options.ts";
import { assertStoreKey, isStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import { assertClient } from "./assert-client.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { foreignChanges, type Listen } from "./postgres/changes.ts";
import { claimRows } from "./postgres/claims.ts";
import { writeCommit } from "./postgres/commits.ts";
import { type PostgresPool, queriesTo, type Query } from "./postgres/connection.ts";
import { openPool } from "./postgres/open-pool.ts";
import { prepareDatabase } from "./postgres/schema.ts";
import { inOrder } from "./in-order.ts";
import { type ListedRun, pageOfHeads } from "./listed-heads.ts";
import { readRange } from "./read-range.ts";
import { damaged, readHead } from "./stored-head.ts";
import { leasesIn, leaseTime } from "./leases.ts";
import { type ListedRow, pageOfCheckpoints, selectRows, selectRuns } from "./sql/pages.ts";
import { readText, storedText } from "./stored-text.ts";
import { noWatchers } from "./watchers.ts";
import { withConnection } from "./with-connection.ts";

export type { Listen } from "./postgres/changes.ts";
export type { PostgresPool } from "./postgres/connection.ts";

/** How a {@link postgresStore} works. */
export interface PostgresStoreOptions {
  /**
   * Listens on a channel of the database: `(channel, called) => database.listen(channel, called)` for a `PGlite`; for `pg` a client of its own. With it,
   * `watch` reports the changes of other processes at once; all of them need it too. Default: the store polls twice a second.
   */
  readonly listen?: Listen;
  /** How long a process without a sign of life keeps its runs, in milliseconds; at least 1,000. Default: 15,000. */
  readonly leaseMs?: number;
}

/**
 * A store in a Postgres database (14 or newer), over anything with `query(text, values)`: a `Pool` of `pg`, or a `PGlite`. The names of its tables begin with
 * `wavepoint_`; they are in the first schema of the search path. Processes on any number of machines may use one database. A commit is one round trip.
 * `close` leaves the pool open, since it is yours. Throws `POLICY_INVALID` for what is no pool, and if `leaseMs` is too short. Errors of the database are thrown by the calls of the
 * store, as `STORE_…`.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): Store {
  assertOptions("postgresStore", options, { listen: true, leaseMs: true });
  assertClient("postgresStore", pool, ["query"], "a Pool of pg, or a PGlite");
  const leaseMs = leaseTime("postgresStore", options.leaseMs);
  const send = queriesTo(pool);
  const watchers = noWatchers();
  const changes = foreignChanges(query, watchers, options.listen);
  const leases = leasesIn(claimRows(query, leaseMs), leaseMs);
  const commits = inOrder();
  const notes = inOrder();
  let prepared: Promise<void> | undefined;
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw storeClosed();
  }

  async function query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    assertOpen();
    prepared ??= prepareDatabase(send).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    return send<Row>(text, values);
  }

  function changed(run: string): void {
    watchers.changed(run);
    changes.call();
  }

  return {
    kind: "postgres",
    searches: true,
    durable: true,
    async commit(commit) {
      assertOpen();
      checkCommit(commit);
      await commits.add(commit.run, () => writeCommit(query, commit));
      changed(commit.run);
    },
    async head(run) {
      assertStoreKey(run, "The run id");
      const [row] = await query<{ readonly head: string }>("select head from wavepoint_runs where id = $1", [run]);
      return row && readHead(run, row.head);
    },
    async read(run, range) {
      assertStoreKey(run, "The run id");
      const { from, to } = readRange(range);
      return readEntries(query, run, from, to);
    },
    async runs(query_ = {}) {
      const { text, values } = selectRuns(query_, numbered);
      return pageOfHeads(await query<ListedRun>(text, values), query_);
    },
    async checkpoints(query_ = {}) {
      const { text, values } = selectRows(query_, numbered);
      return pageOfCheckpoints(await query<ListedRow>(text, values), query_);
    },
    async putBlob(hash, content) {
      assertStoreKey(hash, "The hash");
      const isText = typeof content === "string";
      // As a text, since `pg-native` ends bytes at the first zero.
      await query("select wavepoint_put_blob($1, $2, decode($3, 'base64'), $4)", [
        hash,
        isText ? storedText(content) : null,
        isText ? null : Buffer.from(content).toString("base64"),
        Date.now(),
      ]);
    },
    async getBlob(hash) {
      assertStoreKey(hash, "The hash");
      type Row = { readonly text: string | null; readonly bytes: string };
      const [row] = await query<Row>("select text, encode(bytes, 'base64') as bytes from wavepoint_blobs where hash = $1", [hash]);
      if (row === undefined) return undefined;
      return row.text === null ? new Uint8Array(Buffer.from(row.bytes, "base64")) : readText(row.text);
    },
    async sweepBlobs(keep, before) {
      const swept = await query(
        "delete from wavepoint_blobs where kept_at < $1 and not hash in (select json_array_elements_text($2::text::json)) returning 1",
        [before, JSON.stringify([...keep].filter(isStoreKey))],
      );
      return swept.length;
    },
    async putNote(run, key, text) {
      assertStoreKey(run, "The run id");
      assertStoreKey(key, "The key of the note");
      await notes.add(run, () => writeNote(query, run, key, text));
      changed(run);
    },
    async notes(run, prefix = "") {
      assertStoreKey(run, "The run id");
      type Row = { readonly key: string; readonly body: string };
      const rows = await query<Row>("select key, body from wavepoint_notes where run = $1 and starts_with(key, $2) order by key", [
        run,
        // No key begins with a text that Postgres cannot hold.
        storedText(prefix),
      ]);
      return rows.map(({ key, body }) => ({ key, text: readText(body) }));
    },
    cache: {
      async get(key) {
        assertStoreKey(key, "The key of the cache");
        const [row] = await query<{ readonly body: string }>("select body from wavepoint_cache where key = $1", [key]);
        return row && readText(row.body);
      },
      async put(key, text, until) {
        assertStoreKey(key, "The key of the cache");
        await query(
          "insert into wavepoint_cache (key, body, until) values ($1, $2, $3) on conflict (key) do update set body = excluded.body, until = excluded.until",
          [key, storedText(text), until],
        );
      },
      async sweep(before, most) {
        const swept = await query(
          "delete from wavepoint_cache where until < $1 or key in (select key from wavepoint_cache where until >= $1 order by until desc offset $2) returning 1",
          [before, most],
        );
        return swept.length;
      },
    },
    async usage() {
      const [row] = await query<{ readonly runs: unknown; readonly bytes: unknown }>(
        "select (select count(*)::integer from wavepoint_runs) as runs, (select sum(pg_total_relation_size(oid))::float8 from pg_class where oid in (select to_regclass('wavepoint_' || name) from unnest(array['runs', 'search', 'entries', 'checkpoints', 'notes', 'blobs', 'cache', 'changes']) as t(name))) as bytes",
      );
      return { runs: Number(row!.runs), bytes: Number(row!.bytes) };
    },
    async delete(run) {
      assertStoreKey(run, "The run id");
      await query("select wavepoint_delete($1)", [run]);
      changed(run);
    },
    async claim(run, lost) {
      assertStoreKey(run, "The run id");
      return leases.take(run, lost);
    },
    watch: changes.watch,
    async close() {
      if (isClosed) return;
      watchers.clear();
      await Promise.all([commits.settled(), notes.settled()]);
      if (prepared) await changes.close();
      await leases.close();
      isClosed = true;
    },
  };
}

/**
 * Opens the database of an address (`postgres://user:password@host/name`) with the package `pg`, which must be installed. Returns a {@link postgresStore}
 * that listens over a separate connection; its `close` closes all connections. Throws `STORE_UNAVAILABLE` without the package.
 */
export async function openPostgresStore(address: string, options: Omit<PostgresStoreOptions, "listen"> = {}): Promise<Store> {
  const { pool, listen } = await openPool(address);
  return withConnection(
    () => postgresStore(pool, { ...options, listen }),
    () => pool.end(),
  );
}

function numbered(number: number): string {
  return `$${number}`;
}

/** Writes a note of an existing run, or removes it. */
async function writeNote(query: Query, run: string, key: string, text: string | undefined): Promise<void> {
  if (text === undefined) {
    await query("with gone as (delete from wavepoint_notes where run = $1 and key = $2) insert into wavepoint_changes (run) values ($1)", [
      run,
      key,
    ]);
    return;
  }
  // The run must not be deleted in between.
  await query(
    "with there as (select id from wavepoint_runs where id = $1 for share), noted as (insert into wavepoint_changes (run) select id from there) insert into wavepoint_notes (run, key, body) select id, $2, $3 from there on conflict (run, key) do update set body = excluded.body",
    [run, key, storedText(text)],
  );
}

/** Reads entries together with their head, both at one moment. */
async function readEntries(query: Query, run: string, from: number, to: number): Promise<readonly string[]> {
  // Numbers may come as `bigint` or as texts: what a package makes of the types of Postgres can be changed.
  type Row = { readonly entries: unknown; readonly base: unknown; readonly place: unknown; readonly body: string };
  const rows = await query<Row>(
    "select r.entries, r.base, e.place, e.body from wavepoint_runs r left join wavepoint_entries e on e.run = r.id and e.place >= $2 and e.place < $3 where r.id = $1 order by e.place",
    [run, Math.min(from, LAST_PLACE), Math.min(to, LAST_PLACE)],
  );
  if (rows.length === 0) return [];
  const { entries, base } = rows[0]!;
  const first = Math.max(from, base === null ? 0 : Number(base) - 1);
  const found = rows.flatMap(({ place, body }) => (place === null ? [] : [{ place: Number(place), body }]));
  const missing = found.findIndex(({ place }, index) => place !== first + index);
  if (missing >= 0) throw damaged(run, `entry ${first + missing} is missing`);
  if (found.length < Math.min(to, Number(entries)) - first) throw damaged(run, `entry ${first + found.length} is missing`);
  return found.map(({ body }) => readText(body));
}

/** The largest value that a column of places can hold. */
const LAST_PLACE = 2_147_483_647;
