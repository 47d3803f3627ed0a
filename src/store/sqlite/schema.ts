import { WorkflowError } from "../../core/model/errors.ts";
import type { Connection } from "./connection.ts";

/** The version of the tables. Each change of them adds a migration. */
const VERSION = 2;

/** How long a statement waits while another process writes, in milliseconds. */
const BUSY_MS = 5_000;

/** By version, from 1: what makes its tables from those of the version before. */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    "create table wavepoint_runs (id text primary key, workflow text not null, status text not null, called integer not null, changed_at real not null, revision integer not null, epoch integer not null, entries integer not null, base integer, head text not null) without rowid",
    "create index wavepoint_runs_listed on wavepoint_runs (status, called, changed_at, id)",
    "create index wavepoint_runs_of_workflow on wavepoint_runs (workflow, status, called, changed_at, id)",
    "create table wavepoint_entries (run text not null, place integer not null, body text not null, primary key (run, place)) without rowid",
    "create table wavepoint_checkpoints (run text not null, kind text not null, number integer not null, workflow text not null, created_at real not null, entries integer not null, sealed text, primary key (run, kind, number)) without rowid",
    "create index wavepoint_checkpoints_listed on wavepoint_checkpoints (kind, created_at, run, number)",
    "create index wavepoint_checkpoints_of_run on wavepoint_checkpoints (run, kind, created_at, number)",
    "create index wavepoint_checkpoints_of_workflow on wavepoint_checkpoints (workflow, kind, created_at, run, number)",
    "create table wavepoint_notes (run text not null, key text not null, body text not null, primary key (run, key)) without rowid",
    "create table wavepoint_blobs (hash text primary key, text text, bytes blob, kept_at real not null)",
    "create index wavepoint_blobs_by_time on wavepoint_blobs (kept_at)",
    "create table wavepoint_cache (key text primary key, body text not null, until real not null)",
    "create index wavepoint_cache_by_time on wavepoint_cache (until)",
    "create table wavepoint_claims (run text primary key, holder text not null, until real not null) without rowid",
    // The latest changes, for stores that watch.
    "create table wavepoint_changes (number integer primary key, run text not null)",
  ],
  [
    // What the rows of a run in the table below were made of.
    "alter table wavepoint_runs add column search text",
    "create table wavepoint_search (id text not null, name text not null, value text not null, workflow text not null, status text not null, called integer not null, changed_at real not null, primary key (id, name)) without rowid",
    "create index wavepoint_search_listed on wavepoint_search (name, value, status, called, changed_at, id, workflow)",
  ],
];

/** Makes the tables, or those of a newer version from what is there. Throws `STORE_FAILED` where a newer version made them. */
export function prepareDatabase(connection: Connection): void {
  connection.all(`pragma busy_timeout = ${BUSY_MS}`);
  // Readers do not wait for writers, and a commit is one sync. A database in memory stays what it is.
  connection.all("pragma journal_mode = wal");
  connection.run("pragma synchronous = full");
  if (versionOf(connection) === VERSION) return;
  connection.writing("strict", () => {
    const version = versionOf(connection);
    if (version > VERSION) {
      throw new WorkflowError(
        "STORE_FAILED",
        `The tables have version ${version}; this version of the package reads ${VERSION}. Use a newer one. Nothing was changed.`,
      );
    }
    for (const statements of MIGRATIONS.slice(version)) for (const sql of statements) connection.run(sql);
    connection.run("create table if not exists wavepoint_version (version integer not null)");
    connection.run("delete from wavepoint_version");
    connection.run("insert into wavepoint_version values (?)", [VERSION]);
  });
}

function versionOf(connection: Connection): number {
  const isThere = connection.all("select 1 from sqlite_master where type = 'table' and name = 'wavepoint_version'").length > 0;
  if (!isThere) return 0;
  return connection.all<{ readonly version: number }>("select version from wavepoint_version")[0]?.version ?? 0;
}
