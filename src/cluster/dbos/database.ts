import type { PostgresPool } from "../../store/postgres.ts";
import type { Query } from "../../store/postgres/connection.ts";
import type { Pool } from "../../store/postgres/open-pool.ts";

/** The name of the segments, of their application, and of the queue of those without a limit, as DBOS has them. */
export const NAME = "wavepoint";
export const SEGMENT = "segment";
/** What DBOS would otherwise make of the code: then an upgrade would leave orders behind that only the code before it takes. */
export const VERSION = "wavepoint";
/** Queues of workflows with a limit begin with it. */
export const LIMITED = "wavepoint:";
/** The queue of runs whose tenants have a limit. */
export const TENANTS = "wavepoint tenants";

/** What only one process makes at a time. */
const LOCK = 7_263_002;
/** How often a process that waits for the lock asks for it, in milliseconds. */
const ASK_MS = 50;

/**
 * Whether DBOS has made all that orders need. It makes its tables in steps, and the function in its present form is one of the last: a process that was killed between two steps leaves the rest
 * to the next one.
 */
export async function hasOrderTables(query: Query, schema: string): Promise<boolean> {
  const [found] = await query(
    `select 1 from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname = $1 and proname = 'enqueue_workflow' and proargnames @> array['application_name', 'delay_until_epoch_ms']`,
    [schema],
  );
  return found !== undefined;
}

/** Returns the schema in which DBOS keeps its tables: beside the runs, if they have a schema to themselves. */
export async function schemaOfOrders(pool: PostgresPool): Promise<string> {
  const { rows } = await pool.query("select current_schema() as own");
  const { own } = rows[0] as { readonly own: string };
  return own === "public" ? "dbos" : `${own}_dbos`;
}

/** Does what only one process of all that use the database may do at a time. */
export async function alone<T>(pool: Pick<Pool, "connect">, work: (connection: PostgresPool) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let lost: Error | undefined;
  // The connection holds the lock without a query: if it broke now, the error would end the process.
  const onError = (error: Error): void => void (lost = error);
  connection.on("error", onError);
  try {
    // Do not wait for the lock within a statement. DBOS builds indexes concurrently, which waits for all running statements: neither would end.
    while (!(await tryLock(connection))) await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    try {
      return await work(connection);
    } finally {
      if (!lost) await connection.query("select pg_advisory_unlock($1)", [LOCK]);
    }
  } catch (error) {
    lost ??= error as Error;
    throw error;
  } finally {
    connection.off("error", onError);
    // The lock goes with the connection.
    connection.release(lost);
  }
}

async function tryLock(connection: PostgresPool): Promise<boolean> {
  const { rows } = await connection.query("select pg_try_advisory_lock($1) as locked", [LOCK]);
  return (rows[0] as { readonly locked: boolean }).locked;
}

/**
 * Turns commits of runs into orders, in the same transaction. A commit of the process that executes the run makes no order: that process reads the run once
 * more before it finishes its order. Neither does the first commit of a called run: its caller executes it. Existing runs are ordered once.
 */
export function ordersOf(schema: string): string {
  return `
create table if not exists wavepoint_workers (id text primary key, until timestamptz not null);
create table if not exists wavepoint_tenants (searched text not null);
create or replace function wavepoint_order(the_run text, the_workflow text, head text, order_id text, at bigint, tried integer) returns void language plpgsql as $order$
declare
  tenant text;
  queue text := '${NAME}';
  partition text;
begin
  select head::json->'search'->>searched into tenant from wavepoint_tenants;
  if exists (select 1 from "${schema}".queues where name = '${LIMITED}' || the_workflow) then
    queue := '${LIMITED}' || the_workflow;
    partition := coalesce('tenant ' || tenant, 'run ' || the_run);
  elsif tenant is not null then
    queue := '${TENANTS}';
    partition := 'tenant ' || tenant;
  end if;
  perform "${schema}".enqueue_workflow(workflow_name => '${SEGMENT}', queue_name => queue, positional_args => array[to_json(the_run), to_json(tried)], class_name => '',
    workflow_id => order_id, app_version => '${VERSION}', application_name => '${NAME}', queue_partition_key => partition, delay_until_epoch_ms => at);
end $order$;
create or replace function wavepoint_order_commit() returns trigger language plpgsql as $commit$
begin
  -- A run is inserted empty, and filled in the same transaction.
  if old.revision = 0 then
    if new.called = 1 or new.status not in ('running', 'paused') then return null; end if;
  else
    -- The end of a called run lets its caller go on.
    if new.status = 'paused' or new.status <> 'running' and new.called = 0 then return null; end if;
    if new.status <> 'running' or old.status = 'running' then
      -- The lock keeps the holder from letting go, and reading the run for the last time, before this commit is there.
      perform 1 from wavepoint_claims where run = new.id and until > clock_timestamp() for key share;
      if found then return null; end if;
    end if;
  end if;
  perform wavepoint_order(new.id, new.workflow, new.head, new.id || '#' || new.revision, null, 0);
  return null;
end $commit$;
do $$ begin
  if not exists (select 1 from pg_trigger where tgname = 'wavepoint_ordered' and tgrelid = 'wavepoint_runs'::regclass) then
    create trigger wavepoint_ordered after update on wavepoint_runs for each row execute function wavepoint_order_commit();
    perform wavepoint_order(id, workflow, head, id || '#' || revision, null, 0) from wavepoint_runs where called = 0 and status in ('running', 'paused');
  end if;
end $$;
`;
}
