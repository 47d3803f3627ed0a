import { LIMITED, NAME, TENANTS } from "./database.ts";
import type { Dbos, WorkerSetup } from "./setup.ts";

/** What registers queues: DBOS where it runs, or a client of its database. */
type Registry = Pick<Dbos, "registerQueue" | "listQueues">;

/** Says how orders wait: all workers hear of that within seconds. Without limits those stay that there are. */
export async function registerQueues(registry: Registry, { query, concurrency, pollMs, limits }: WorkerSetup): Promise<void> {
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
