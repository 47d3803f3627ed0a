import { WorkflowError } from "../../core/model/errors.ts";
import type { Orders } from "../../core/ports/store.ts";
import { alone, NAME, SEGMENT, VERSION, LIMITED, TENANTS } from "./database.ts";
import { keepAlive } from "./heartbeat.ts";
import { isLostConnection } from "../../store/postgres/connection.ts";
import { AGAIN_MS, executeSegment, MAX_AGAIN_MS, sleep, type Workbench } from "./segment.ts";
import type { Dbos, Logger, Package, SharedPool, WorkerSetup } from "./setup.ts";

/** A worker at work. */
interface Worker extends Workbench {
  /** The orders that are executed here, by their ids. */
  readonly executing: Set<string>;
}

const MAX_ATTEMPTS = 1_000_000_000;

let loading: Promise<Package> | undefined;
let worker: Worker | undefined;

/** Loads the package, once for the process, and says what DBOS executes. Throws `STORE_UNAVAILABLE` without it. */
function loadPackage(): Promise<Package> {
  // Bundlers must not look for a package that most programs do not have.
  const name: string = "@dbos-inc/dbos-sdk";
  loading ??= import(/* @vite-ignore */ name).then(
    (loaded: Package) => {
      const { DBOS } = loaded;
      const execute = async (run: string, tried: number): Promise<void> => {
        const id = DBOS.workflowID!;
        const { executing } = worker!;
        executing.add(id);
        try {
          await executeSegment(worker!, { id, run, tried });
        } finally {
          executing.delete(id);
        }
      };
      // No order is given up, however often workers are stopped while they execute it.
      DBOS.registerWorkflow(execute, { name: SEGMENT, className: "", maxRecoveryAttempts: MAX_ATTEMPTS });
      return loaded;
    },
    (cause: unknown) => {
      loading = undefined;
      const message = 'Orders are kept by the package "@dbos-inc/dbos-sdk". Install it: npm install @dbos-inc/dbos-sdk';
      throw new WorkflowError("STORE_UNAVAILABLE", message, { cause });
    },
  );
  return loading;
}

/** Starts DBOS, which migrates its tables. Throws `STORE_UNAVAILABLE` if it runs in this process already. */
export async function launch(setup: WorkerSetup, id: string, bench?: Worker): Promise<Dbos> {
  const { DBOS: dbos } = await loadPackage();
  if (dbos.isInitialized()) {
    throw new WorkflowError(
      "STORE_UNAVAILABLE",
      "DBOS runs in this process already, and there is one for all of it. Let another process be the worker.",
    );
  }
  const { pool, address, schema, onWarning } = setup;
  dbos.setConfig({
    name: NAME,
    systemDatabaseUrl: address,
    systemDatabasePool: pool as unknown as SharedPool,
    systemDatabaseSchemaName: schema,
    applicationVersion: VERSION,
    executorID: id,
    useListenNotify: false,
    logger: loggerTo(onWarning),
  });
  worker = bench;
  try {
    await alone(pool, () => dbos.launch());
  } catch (error) {
    // A half-started DBOS would block another try.
    await dbos.shutdown().catch((left: unknown) => onWarning(`DBOS left something behind: ${String(left)}`));
    throw error;
  }
  return dbos;
}

/** Registers the queues of orders, even if no worker runs. */
export async function setLimits(setup: WorkerSetup): Promise<void> {
  const { DBOSClient } = await loadPackage();
  const { pool, address, schema } = setup;
  const client = await DBOSClient.create({
    systemDatabaseUrl: address,
    systemDatabasePool: pool as unknown as SharedPool,
    systemDatabaseSchemaName: schema,
    applicationName: NAME,
    logger: loggerTo(setup.onWarning),
  });
  try {
    await registerQueues(client, setup);
  } finally {
    await client.destroy();
  }
}

/** Executes orders until the signal aborts, then releases the runs that it executes: see `Orders.take`. Begins once the database answers. */
export async function work(setup: WorkerSetup, execute: Parameters<Orders["take"]>[0], signal: AbortSignal): Promise<void> {
  for (let wait = AGAIN_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_AGAIN_MS)) {
    try {
      return await workOnce(setup, execute, signal);
    } catch (error) {
      if (signal.aborted || !isLostConnection(error)) throw error;
      setup.onWarning(`The worker could not begin, and tries again: ${String(error)}`);
      await sleep(wait, signal);
    }
  }
}

async function workOnce(setup: WorkerSetup, execute: Parameters<Orders["take"]>[0], signal: AbortSignal): Promise<void> {
  const id = crypto.randomUUID();
  const { query, graceMs, onWarning } = setup;
  const ending = new AbortController();
  const executing = new Set<string>();
  const alive = await keepAlive(setup, { id, executing });
  try {
    // It may take orders as soon as it runs.
    const bench: Worker = { query, execute, signal: ending.signal, onWarning, executing };
    const dbos = await launch(setup, id, bench);
    try {
      await registerQueues(dbos, setup);
      alive.watch(dbos);
      await aborted(signal);
    } finally {
      ending.abort();
      await dbos.shutdown({ workflowCompletionTimeoutMS: graceMs });
    }
  } finally {
    await alive.end();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

/** Without it, DBOS writes to the console. */
function loggerTo(onWarning: (message: string) => void): Logger {
  const warn = (entry: unknown): void => onWarning(`DBOS: ${String(entry)}`);
  return { info() {}, debug() {}, warn, error: warn };
}

/** Registers queues: DBOS if it runs, or a client of its database. */
type Registry = Pick<Dbos, "registerQueue" | "listQueues">;

/** Registers the queues of orders with their limits; all workers follow within seconds. Without limits, existing ones stay. */
async function registerQueues(registry: Registry, { query, concurrency, pollMs, limits }: WorkerSetup): Promise<void> {
  const any = { workerConcurrency: concurrency, minPollingIntervalMs: pollMs, onConflict: "always_update" } as const;
  await registry.registerQueue(NAME, any);
  if (!limits) return;
  const { workflows = {}, tenants } = limits;
  const perTenant = tenants ? { partitionConcurrency: tenants.most } : {};
  await registry.registerQueue(TENANTS, { ...any, ...perTenant });
  for (const [workflow, most] of Object.entries(workflows)) {
    const workerConcurrency = Math.min(concurrency, most);
    await registry.registerQueue(LIMITED + workflow, { ...any, ...perTenant, workerConcurrency, globalConcurrency: most });
  }
  // A queue that holds orders is not deleted: it loses its limit.
  for (const { name } of await registry.listQueues()) {
    const isLimited = name.startsWith(LIMITED) && !Object.hasOwn(workflows, name.slice(LIMITED.length));
    if (isLimited) await registry.registerQueue(name, { ...any, ...perTenant });
  }
  const sql = "with before as (delete from wavepoint_tenants) insert into wavepoint_tenants select $1::text where $1 is not null";
  await query(sql, [tenants?.search ?? null]);
}
