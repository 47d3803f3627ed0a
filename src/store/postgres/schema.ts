import { WorkflowError } from "../../core/model/errors.ts";
import type { Query } from "./connection.ts";

/** The version of the tables and of the function. Each change of them adds a migration. */
const VERSION = 5;

/** The encodings of a database that keep every text; the second one looks at none. */
const ENCODINGS: ReadonlySet<string> = new Set(["UTF8", "SQL_ASCII"]);

/** What only one process makes at a time. */
const LOCK = 7_263_001;

const TABLES = `
create table wavepoint_runs (id text collate "C" primary key, workflow text not null, status text not null, called integer not null, changed_at float8 not null, revision integer not null, epoch integer not null, entries integer not null, base integer, head text not null);
create index wavepoint_runs_listed on wavepoint_runs (status, called, changed_at, id);
create index wavepoint_runs_of_workflow on wavepoint_runs (workflow, status, called, changed_at, id);
create table wavepoint_entries (run text collate "C" not null, place integer not null, body text not null, primary key (run, place));
create table wavepoint_checkpoints (run text collate "C" not null, kind text collate "C" not null, number integer not null, workflow text not null, created_at float8 not null, entries integer not null, sealed text, primary key (run, kind, number));
create index wavepoint_checkpoints_listed on wavepoint_checkpoints (kind, created_at, run, number);
create index wavepoint_checkpoints_of_run on wavepoint_checkpoints (run, kind, created_at, number);
create index wavepoint_checkpoints_of_workflow on wavepoint_checkpoints (workflow, kind, created_at, run, number);
create table wavepoint_notes (run text collate "C" not null, key text collate "C" not null, body text not null, primary key (run, key));
create table wavepoint_blobs (hash text collate "C" primary key, text text, bytes bytea, kept_at float8 not null);
create index wavepoint_blobs_by_time on wavepoint_blobs (kept_at);
create table wavepoint_cache (key text collate "C" primary key, body text not null, until float8 not null);
create index wavepoint_cache_by_time on wavepoint_cache (until);
create table wavepoint_claims (run text collate "C" primary key, holder text not null, until timestamptz not null);
create table wavepoint_changes (tx xid8 not null default pg_current_xact_id(), at timestamptz not null default clock_timestamp(), run text collate "C" not null);
create index wavepoint_changes_by_tx on wavepoint_changes (tx);
create table wavepoint_version (version integer not null);
`;

const SEARCH = `
-- What the rows of a run in the table below were made of.
alter table wavepoint_runs add column search text;
create table wavepoint_search (id text collate "C" not null, name text collate "C" not null, value text collate "C" not null, workflow text not null, status text not null, called integer not null, changed_at float8 not null, primary key (id, name));
create index wavepoint_search_listed on wavepoint_search (name, value, status, called, changed_at, id, workflow);
`;

/**
 * One round trip for a commit. Returns an empty text if it was made, else how the run stands as JSON: then nothing was changed. Returns nothing if the
 * transaction has written before: then it is the caller's own, and could take the commit back. Times are those of the database. It takes and returns texts,
 * because all packages pass texts unchanged, and reads the JSON once.
 */
const COMMIT = `
create or replace function wavepoint_commit(given text) returns text language plpgsql as $commit$
declare
  c constant jsonb := given::jsonb;
  the_run constant text := c->>'run';
  first constant integer := (c->>'first')::integer;
  new_base constant integer := (c->'base'->>'at')::integer;
  stored wavepoint_runs%rowtype;
begin
  if pg_current_xact_id_if_assigned() is not null then return null; end if;
  if c->>'durability' = 'relaxed' then perform set_config('synchronous_commit', 'off', true); else perform wavepoint_strict(); end if;
  if c->>'seenRevision' is null then
    insert into wavepoint_runs (id, workflow, status, called, changed_at, revision, epoch, entries, head)
      values (the_run, '', '', 0, 0, 0, 0, 0, '') on conflict do nothing;
    if not found then
      select * into stored from wavepoint_runs where id = the_run;
      return row_to_json(stored)::text;
    end if;
    stored.entries := 0;
  else
    select * into stored from wavepoint_runs where id = the_run for update;
    if not found then return '{}'; end if;
    if stored.revision <> (c->>'seenRevision')::integer or stored.epoch <> (c->>'seenEpoch')::integer then return row_to_json(stored)::text; end if;
  end if;
  if first <> stored.entries and not coalesce(first > stored.entries and first <= new_base, false)
    or new_base is null and (c->>'headBase')::integer is distinct from stored.base
    or coalesce(stored.base > new_base, false)
  then
    if c->>'seenRevision' is null then delete from wavepoint_runs where id = the_run; return '{}'; end if;
    return row_to_json(stored)::text;
  end if;
  update wavepoint_runs set workflow = c->>'workflow', status = c->>'status', called = (c->>'called')::integer, changed_at = (c->>'changedAt')::float8,
    revision = (c->>'revision')::integer, epoch = (c->>'epoch')::integer, entries = (c->>'entries')::integer, base = (c->>'headBase')::integer, head = c->>'head', search = c->>'search'
    where id = the_run;
  if coalesce(stored.search, c->>'search') is not null and (stored.search, stored.workflow, stored.status, stored.called, stored.changed_at)
    is distinct from (c->>'search', c->>'workflow', c->>'status', (c->>'called')::integer, (c->>'changedAt')::float8)
  then
    delete from wavepoint_search where id = the_run;
    if c->'search' is not null then
      insert into wavepoint_search select the_run, v.name, v.value, c->>'workflow', c->>'status', (c->>'called')::integer, (c->>'changedAt')::float8
        from jsonb_to_recordset(c->'search') as v(name text, value text);
    end if;
  end if;
  if new_base is not null then
    delete from wavepoint_entries where run = the_run and place < new_base;
    insert into wavepoint_entries values (the_run, new_base - 1, c->'base'->>'text');
  end if;
  insert into wavepoint_entries select the_run, first + n - 1, body from jsonb_array_elements_text(c->'added') with ordinality as a(body, n)
    where new_base is null or first + n - 1 >= new_base;
  if c->'dropNotes' is not null then
    delete from wavepoint_notes where run = the_run and key in (select jsonb_array_elements_text(c->'dropNotes'));
  end if;
  if c->'forgotten' is not null then
    delete from wavepoint_checkpoints k using jsonb_to_recordset(c->'forgotten') as f(kind text, number integer)
      where k.run = the_run and k.kind = f.kind and k.number = f.number;
  end if;
  if c->'checkpoints' is not null then
    insert into wavepoint_checkpoints select the_run, r.kind, r.number, r.workflow, r."createdAt", r.entries, r.sealed
      from jsonb_to_recordset(c->'checkpoints') as r(kind text, number integer, workflow text, "createdAt" float8, entries integer, sealed text)
      on conflict (run, kind, number) do update set workflow = excluded.workflow, created_at = excluded.created_at, entries = excluded.entries, sealed = excluded.sealed;
  end if;
  insert into wavepoint_changes (run) values (the_run);
  if random() < 0.002 then delete from wavepoint_changes where at < clock_timestamp() - interval '30 seconds'; end if;
  return '';
end $commit$;
`;

/**
 * What a transaction writes is on the disk once it is acknowledged, also where the database or the role says otherwise; stricter settings stay. A run is
 * deleted by several statements, since each sees what was committed before it began: a commit that the first one waited for has left rows. They are
 * the rows of this run only where it was found: another may have taken its name since.
 */
const STRICT = `
create or replace function wavepoint_strict() returns void language plpgsql as $strict$
begin
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;
end $strict$;
create or replace function wavepoint_put_blob(the_hash text, the_text text, the_bytes bytea, the_time float8) returns void language plpgsql as $put$
begin
  perform wavepoint_strict();
  insert into wavepoint_blobs (hash, text, bytes, kept_at) values (the_hash, the_text, the_bytes, the_time)
    on conflict (hash) do update set kept_at = excluded.kept_at;
end $put$;
create or replace function wavepoint_delete(the_run text) returns void language plpgsql as $delete$
begin
  perform wavepoint_strict();
  delete from wavepoint_runs where id = the_run;
  if found then
    delete from wavepoint_search where id = the_run;
    delete from wavepoint_entries where run = the_run;
    delete from wavepoint_checkpoints where run = the_run;
    delete from wavepoint_notes where run = the_run;
  end if;
  insert into wavepoint_changes (run) values (the_run);
end $delete$;
`;

/** By version, from 1: what makes its tables from those of the version before. */
const MIGRATIONS: readonly string[] = [
  TABLES,
  SEARCH,
  "drop function if exists wavepoint_commit(json);",
  STRICT,
  `drop function if exists wavepoint_commit(jsonb);${COMMIT}`,
];

/** Makes the tables, or migrates those of an older version, in one transaction. Throws `STORE_FAILED` if a newer version made them. */
export async function prepareDatabase(query: Query): Promise<void> {
  const version = await versionOf(query);
  if (version === VERSION) return;
  if (version > VERSION) {
    throw new WorkflowError(
      "STORE_FAILED",
      `The tables have version ${version}; this version of the package reads ${VERSION}. Use a newer one. Nothing was changed.`,
    );
  }
  const steps = MIGRATIONS.slice(version).map((sql, index) => `if had < ${version + index + 1} then ${sql} end if;`);
  await query(`do $migration$
declare had integer := 0;
begin
  perform pg_advisory_xact_lock(${LOCK});
  -- Asked of the table: what names are looked up in is not yet what another process has made while this one waited.
  if exists (select 1 from pg_class where relname = 'wavepoint_version' and pg_table_is_visible(oid)) then
    execute 'select version from wavepoint_version' into had;
  end if;
  ${steps.join("\n")}
  delete from wavepoint_version;
  insert into wavepoint_version values (greatest(had, ${VERSION}));
end $migration$`);
}

async function versionOf(query: Query): Promise<number> {
  const [place] = await query<{ readonly found: string | null; readonly encoding: string }>(
    "select to_regclass('wavepoint_version')::text as found, current_setting('server_encoding') as encoding",
  );
  if (!ENCODINGS.has(place!.encoding)) {
    throw new WorkflowError(
      "STORE_FAILED",
      `The database has the encoding ${place!.encoding}, in which most characters cannot be kept. Use one that was made with: create database … encoding 'UTF8' template template0. Nothing was changed.`,
    );
  }
  if (place!.found === null) return 0;
  return Number((await query<{ readonly version: unknown }>("select version from wavepoint_version"))[0]?.version ?? 0);
}
