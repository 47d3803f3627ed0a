import { WorkflowError } from "../../core/model/errors.ts";
import type { Connection } from "./connection.ts";

/** The version of the tables. Each change of them adds a migration. */
const VERSION = 3;

/** How long a statement waits while another process writes, in milliseconds. */
const BUSY_MS = 5_000;

/** The time of SQLite, in milliseconds since the epoch. */
export const NOW = "(julianday('now') - 2440587.5) * 86400000";

/** What every commit says, as columns. */
export const COMMITTED =
  "run, workflow, status, called, changed_at, search, epoch_before, entries_before, revision, epoch, entries, base, head, watcher, entry";

/** The row of the last entry of a run. Where a commit only continued the run, it keeps what that changed of the head. */
const LAST = "wavepoint_entries where id >= number << 32 and id < (number + 1) << 32 order by id desc limit 1";

/** How a run stands. Both only rise: the larger one counts. */
export const REVISION: string = `max(revision, ifnull((select revision from ${LAST}), 0))`;
export const ENTRIES: string = `max(entries, ifnull((select place + 1 from ${LAST}), 0))`;

/** The head of a run, with what later commits changed of it behind it, as `readHead` takes it. Only runs that execute are gone on with: of others no entry is looked at. */
export const HEAD: string = `head || iif(status = 'running', ifnull((select '[' || revision || ',' || (place + 1) || ',' || updated_at || ']' from ${LAST}), ''), '') as head`;

/** Whether a run stands as the writer of a commit saw it: by its own row, or by that of its last entry. */
const STANDS = `(revision = new.revision - 1 and entries = new.entries_before or revision < new.revision - 1 and status = 'running'
          and exists (select 1 from wavepoint_entries where id = number << 32 | new.entries_before - 1 and revision = new.revision - 1))`;

/**
 * Most commits only continue a run: they add one entry, and change nothing of the head but its revision, its count of entries and its time. These stand in
 * the row of the entry, so that such a commit writes no more pages than an entry takes. Where the run does not stand as the writer saw it, the key of the row
 * would be a text, which SQLite refuses, as it does a place that another writer took. The values: the place of the entry before, the run, its epoch and
 * the revision before; then the entry, its revision, its time and the number of the connection that writes it, among those that watch.
 */
export const CONTINUE = `insert into wavepoint_entries (id, body, revision, updated_at, watcher) values (ifnull((select e.id + 1
  from wavepoint_runs r join wavepoint_entries e on e.id = r.number << 32 | ?
  where r.id = ? and r.status = 'running' and r.epoch = ? and max(r.revision, ifnull(e.revision, 0)) = ?), 'refused'), ?, ?, ?, ?)`;

/**
 * A commit is a row that is inserted into a view: its trigger compares the head and writes, so that the database is called once. `entry` is the
 * one entry that most commits have. Where the run does not stand as the writer saw it, the statement is refused as a violated constraint, and
 * nothing of it is written. The first commit of a run, and those that change more than a head and a journal, go through a view of their own,
 * so that all others do not pay for it; what else they change stands in `more`, as JSON. That a run was changed is written down for connections that watch, if any does
 * but the one with the number `watcher`, which is the writer's: it takes another page.
 */
const COMMIT = [
  `create view wavepoint_commits (${COMMITTED}) as select ${replaced(COMMITTED, "null")} where 0`,
  `create trigger wavepoint_commit instead of insert on wavepoint_commits begin
    update wavepoint_runs set revision = new.revision, epoch = new.epoch, entries = new.entries, base = new.base, head = new.head
      where id = new.run and epoch = new.epoch_before and base is new.base and ${STANDS}
        and not exists (select 1 from wavepoint_entries where id = number << 32 | new.entries_before);
    select raise(abort, 'The run does not stand as the writer saw it.') where changes() = 0;
    update wavepoint_runs set workflow = new.workflow, status = new.status, called = new.called, changed_at = new.changed_at, search = new.search
      where id = new.run and (workflow, status, called, changed_at, search) is not (new.workflow, new.status, new.called, new.changed_at, new.search);
    insert into wavepoint_entries (id, body) select number << 32 | new.entries_before, new.entry from wavepoint_runs where new.entry is not null and id = new.run;
    insert into wavepoint_changes (run) select new.run where exists (select 1 from wavepoint_watchers where number <> new.watcher);
  end`,
  `create view wavepoint_commits_more (${COMMITTED}, more) as select ${replaced(COMMITTED, "null")}, null where 0`,
  `create trigger wavepoint_commit_more instead of insert on wavepoint_commits_more begin
    update wavepoint_runs set revision = ${REVISION}, entries = ${ENTRIES} where id = new.run and json_extract(new.more, '$.base') is not null;
    insert into wavepoint_runs (id, workflow, status, called, changed_at, search, revision, epoch, entries, base, head)
      select new.run, new.workflow, new.status, new.called, new.changed_at, new.search, 0, 0, 0, null, ''
      where json_extract(new.more, '$.first') and not exists (select 1 from wavepoint_runs where id = new.run);
    update wavepoint_runs set entries = new.entries_before, base = new.base
      where id = new.run and json_extract(new.more, '$.base') is not null
        and (entries = new.entries_before or entries < new.entries_before and new.entries_before <= new.base) and ifnull(base, 0) <= new.base;
    insert into wavepoint_commits (${COMMITTED}) values (${replaced(COMMITTED, "new.$&")});
    delete from wavepoint_entries where id >= (select number << 32 from wavepoint_runs where id = new.run)
      and id < (select number << 32 | json_extract(new.more, '$.base') from wavepoint_runs where id = new.run);
    delete from wavepoint_notes where run = new.run and key in (select value from json_each(new.more, '$.notes'));
    delete from wavepoint_checkpoints where run = new.run
      and (kind, number) in (select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(new.more, '$.forgotten'));
    insert or replace into wavepoint_checkpoints (run, kind, number, workflow, created_at, entries, sealed)
      select new.run, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')
      from json_each(new.more, '$.checkpoints');
  end`,
  // The rows for searches of a run are made from its own row.
  `create trigger wavepoint_found after insert on wavepoint_runs when new.search is not null begin
    insert into wavepoint_search (id, name, value, workflow, status, called, changed_at)
      select new.id, key, value, new.workflow, new.status, new.called, new.changed_at from json_each(new.search);
  end`,
  `create trigger wavepoint_found_anew after update of workflow, status, called, changed_at, search on wavepoint_runs when new.search is not null or old.search is not null begin
    delete from wavepoint_search where id = new.id;
    insert into wavepoint_search (id, name, value, workflow, status, called, changed_at)
      select new.id, key, value, new.workflow, new.status, new.called, new.changed_at from json_each(new.search);
  end`,
  // Such a commit notes for others that the run was changed, as the trigger above does.
  `create trigger wavepoint_continued after insert on wavepoint_entries
    when new.revision is not null and exists (select 1 from wavepoint_watchers where number <> new.watcher) begin
    insert into wavepoint_changes (run) select id from wavepoint_runs where number = new.run;
  end`,
  // The latest 1,000 changes are kept. Older ones, and watchers that died, are deleted now and then: that writes another page.
  `create trigger wavepoint_forget after insert on wavepoint_changes when new.number % 64 = 0 begin
    delete from wavepoint_changes where number <= new.number - 1000;
    delete from wavepoint_watchers where until < ${NOW};
  end`,
];

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
  [
    // Runs have numbers, and the key of an entry is one number: so an entry takes one page, and no more than its own bytes.
    "drop index wavepoint_runs_listed",
    "drop index wavepoint_runs_of_workflow",
    "alter table wavepoint_runs rename to wavepoint_runs_2",
    "alter table wavepoint_entries rename to wavepoint_entries_2",
    "create table wavepoint_runs (number integer primary key, id text not null unique, workflow text not null, status text not null, called integer not null, changed_at real not null, revision integer not null, epoch integer not null, entries integer not null, base integer, head text not null, search text)",
    "insert into wavepoint_runs (id, workflow, status, called, changed_at, revision, epoch, entries, base, head, search) select id, workflow, status, called, changed_at, revision, epoch, entries, base, head, (select nullif(json_group_object(name, value), '{}') from wavepoint_search s where s.id = r.id) from wavepoint_runs_2 r",
    "create index wavepoint_runs_listed on wavepoint_runs (status, called, changed_at, id)",
    "create index wavepoint_runs_of_workflow on wavepoint_runs (workflow, status, called, changed_at, id)",
    "create table wavepoint_entries (id integer primary key, run integer as (id >> 32) virtual, place integer as (id & 4294967295) virtual, body text not null, revision integer, updated_at integer, watcher integer)",
    "insert into wavepoint_entries (id, body) select number << 32 | place, body from wavepoint_runs r join wavepoint_entries_2 e on e.run = r.id order by 1",
    "drop table wavepoint_runs_2",
    "drop table wavepoint_entries_2",
    // The connections that watch. A number never stands for two of them.
    "create table wavepoint_watchers (number integer primary key autoincrement, until real not null)",
    ...COMMIT,
  ],
];

/** Makes the tables, or migrates those of an older version. Throws `STORE_FAILED` if a newer version made them. */
export function prepareDatabase(connection: Connection): void {
  connection.all(`pragma busy_timeout = ${BUSY_MS}`);
  // Readers do not wait for writers, and a commit is one sync. A database in memory and attached databases stay as they are.
  connection.all("pragma main.journal_mode = wal");
  // On macOS, a sync without this reaches the memory of the disk only.
  connection.run("pragma fullfsync = on");
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

/** A list of names, with another text in place of each. */
export function replaced(names: string, by: string): string {
  return names.replaceAll(/\w+/g, by);
}
