import { assertOptions } from "../core/model/assert-options.ts";
import { WorkflowError } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";
import { postgresStore } from "../store/postgres.ts";
import { queriesTo } from "../store/postgres/connection.ts";
import { openPool } from "../store/postgres/open-pool.ts";
import { alone, hasOrderTables, ordersOf, schemaOfOrders } from "./dbos/database.ts";
import { readHealth, type ClusterHealth } from "./dbos/health.ts";
import type { Limits } from "./dbos/limits.ts";
import type { WorkerSetup } from "./dbos/setup.ts";
import { launch, setLimits, work } from "./dbos/worker.ts";

export type { ClusterHealth } from "./dbos/health.ts";
export type { Limits } from "./dbos/limits.ts";

/** How workers take orders. */
export interface ClusterOptions {
  /** How many runs a worker executes at the same time, from 1, in each queue: limited workflows and tenants have queues of their own. Default: 16. */
  readonly concurrency?: number;
  /** How often a worker looks for orders, in milliseconds, from 10. Default: 100. */
  readonly pollMs?: number;
  /** How long a worker without a sign of life keeps the runs that it executes, in milliseconds; at least 1,000. Default: 15,000. */
  readonly leaseMs?: number;
  /** How long a worker that ends waits for its runs to rest, in milliseconds. Default: 10,000. */
  readonly graceMs?: number;
  /** How many runs of a kind are executed at the same time. Kept in the database for all processes, until one gives others; `{}` removes them. Default: as they are there. */
  readonly limits?: Limits;
  /** Called with what went wrong and is tried again. Default: none is called. */
  readonly onWarning?: (message: string) => void;
}

/** A store whose runs are executed by workers. */
export interface ClusterStore extends Store {
  /** How the workers are, and what waits for them. */
  health(): Promise<ClusterHealth>;
}

/**
 * Opens a Postgres database (14 or newer) whose runs are executed by workers: processes that call `executor.recover({ watch: true })` over it. All other
 * executors over it record starts and answers, and wait for the workers. Needs the packages `pg` and `@dbos-inc/dbos-sdk`. Throws `STORE_UNAVAILABLE` without
 * them, and `POLICY_INVALID` for invalid options.
 */
export async function openCluster(address: string, options: ClusterOptions = {}): Promise<ClusterStore> {
  assertOptions("openCluster", options, { concurrency: true, pollMs: true, leaseMs: true, graceMs: true, limits: true, onWarning: true });
  const { concurrency = 16, pollMs = 100, leaseMs = 15_000, graceMs = 10_000, limits, onWarning = () => {} } = options;
  assertNumbers({ concurrency: [concurrency, 1], pollMs: [pollMs, 10], graceMs: [graceMs, 0] });
  assertOptions("openCluster.limits", limits ?? {}, { workflows: true, tenants: true });
  const most = { ...limits?.workflows, ...(limits?.tenants && { tenants: limits.tenants.most }) };
  assertNumbers(Object.fromEntries(Object.entries(most).map(([name, number]) => [`limits: ${name}`, [number, 1]])));
  const { pool, listen } = await openPool(address);
  const store = postgresStore(pool, { listen, leaseMs });
  const query = queriesTo(pool);
  let setup: WorkerSetup;
  try {
    // Makes the tables.
    await store.runs({ limit: 1 });
    const schema = await schemaOfOrders(pool);
    setup = { pool, query, address, schema, concurrency, pollMs, leaseMs, graceMs, limits, onWarning };
    await prepare(setup);
  } catch (error) {
    await store.close();
    await pool.end();
    throw error;
  }
  /** What this process does as a worker, and what ends it. */
  const working = new Map<Promise<void>, AbortController>();
  let isClosed = false;
  return {
    ...store,
    orders: {
      async take(execute, signal) {
        const ending = new AbortController();
        signal.addEventListener("abort", () => ending.abort(), { once: true });
        if (signal.aborted) return;
        const mine = work(setup, execute, ending.signal);
        working.set(mine, ending);
        await mine.finally(() => working.delete(mine));
      },
    },
    health: () => readHealth(query, setup.schema),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const ending of working.values()) ending.abort();
      await Promise.allSettled(working.keys());
      await store.close();
      await pool.end();
    },
  };
}

/** Makes the tables of DBOS, and what orders by commits. */
async function prepare(setup: WorkerSetup): Promise<void> {
  const { query, pool, schema } = setup;
  if (!(await hasOrderTables(query, schema))) await (await launch(setup, "prepares")).shutdown();
  await alone(pool, (connection) => queriesTo(connection)(ordersOf(schema)));
  if (setup.limits) await setLimits(setup);
}

function assertNumbers(numbers: { readonly [name: string]: readonly [value: number, least: number] }): void {
  for (const [name, [value, least]] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new WorkflowError("POLICY_INVALID", `openCluster: ${name} is a whole number from ${least}, not ${String(value)}.`);
  }
}
