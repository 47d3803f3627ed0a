/** Makes of the tables of today those of version 2, in which runs had no numbers, with all they hold. */
export const BACK_TO_VERSION_2 = [
  "drop trigger wavepoint_continued",
  "drop view wavepoint_commits",
  "drop view wavepoint_commits_more",
  "drop trigger wavepoint_forget",
  "drop table wavepoint_watchers",
  "drop index wavepoint_runs_listed",
  "drop index wavepoint_runs_of_workflow",
  "alter table wavepoint_runs rename to runs",
  "alter table wavepoint_entries rename to entries",
  "create table wavepoint_runs (id text primary key, workflow text not null, status text not null, called integer not null, changed_at real not null, revision integer not null, epoch integer not null, entries integer not null, base integer, head text not null, search text) without rowid",
  "insert into wavepoint_runs select id, workflow, status, called, changed_at, revision, epoch, entries, base, head, json_extract(head, '$.search') from runs",
  "create index wavepoint_runs_listed on wavepoint_runs (status, called, changed_at, id)",
  "create index wavepoint_runs_of_workflow on wavepoint_runs (workflow, status, called, changed_at, id)",
  "create table wavepoint_entries (run text not null, place integer not null, body text not null, primary key (run, place)) without rowid",
  "insert into wavepoint_entries select r.id, e.place, e.body from entries e join runs r on r.number = e.run",
  "drop table runs",
  "drop table entries",
  "update wavepoint_version set version = 2",
];

/** Those of version 1, which knew of no search. */
export const BACK_TO_VERSION_1 = [
  ...BACK_TO_VERSION_2,
  "drop table wavepoint_search",
  "alter table wavepoint_runs drop column search",
  "update wavepoint_version set version = 1",
];
