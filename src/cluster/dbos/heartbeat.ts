import { groupBy } from "../../core/model/group-by.ts";
import { SEGMENT } from "./database.ts";
import type { Dbos, WorkerSetup } from "./setup.ts";

/** How many orders of dead workers are taken over at a time. */
const AT_A_TIME = 1_000;
/** How long finished orders stay in the tables of DBOS, in milliseconds, and how many are deleted at a time. */
const KEPT_MS = 600_000;
const DELETED_AT_A_TIME = 500;

/** The signs of life of a worker. */
export interface Heartbeat {
  /** From now on, orders of workers that give none are taken over. */
  watch(dbos: Dbos): void;
  /** The worker is gone: others may take its unfinished orders at once. */
  end(): Promise<void>;
}

/** Says by the clock of the database that this worker lives, three times in a lease. What fails is tried again the next time. */
export async function keepAlive(
  { query, schema, leaseMs, onWarning }: Pick<WorkerSetup, "query" | "schema" | "leaseMs" | "onWarning">,
  worker: { readonly id: string; readonly executing: ReadonlySet<string> },
): Promise<Heartbeat> {
  let dbos: Dbos | undefined;
  let beating: Promise<void> | undefined;

  async function say(ms: number): Promise<void> {
    const sql =
      "insert into wavepoint_workers values ($1, clock_timestamp() + $2 * interval '1 millisecond') on conflict (id) do update set until = excluded.until";
    await query(sql, [worker.id, ms]);
  }

  async function beat(): Promise<void> {
    try {
      await say(leaseMs);
      const here = dbos;
      if (!here) return;
      await takeOver(here);
      await orderForgotten();
      await deleteOld(here);
    } catch (error) {
      onWarning(`The sign of life failed: ${String(error)}`);
    }
  }

  /**
   * Lets living workers execute the orders of dead ones, and this worker those that it took and lost when the database failed. A worker without a sign of
   * life is dead, even if it never gave one: a frozen worker may wake, take an order before its next sign of life, and die.
   */
  async function takeOver(here: Dbos): Promise<void> {
    const executorId = await beginners();
    const begun = await here.listWorkflows({ workflowName: SEGMENT, status: "PENDING", executorId, loadInput: false, limit: AT_A_TIME });
    const isLost = ({ executorId: by, workflowID, dequeuedAt = 0 }: (typeof begun)[number]): boolean =>
      by !== worker.id || (!worker.executing.has(workflowID) && dequeuedAt < Date.now() - leaseMs);
    const lost = groupBy(begun.filter(isLost), ({ queueName }) => queueName!);
    for (const [queueName, orders] of lost) {
      await here.resumeWorkflows(
        orders.map(({ workflowID }) => workflowID),
        { queueName },
      );
    }
    const left = [...new Set(begun.map((order) => order.executorId))];
    await query("delete from wavepoint_workers where until < clock_timestamp() and id <> all($1)", [left]);
  }

  /** This worker, and the dead ones that had begun something. */
  async function beginners(): Promise<string[]> {
    const gone = await query<{ readonly id: string }>(
      `select distinct executor_id as id from "${schema}".workflow_status where name = '${SEGMENT}' and status = 'PENDING' and executor_id is not null and not exists (select 1 from wavepoint_workers where id = executor_id and until >= clock_timestamp())`,
    );
    return [worker.id, ...gone.map(({ id }) => id)];
  }

  /** Runs that a process held which was no worker, and died. */
  async function orderForgotten(): Promise<void> {
    await query(
      "with gone as (delete from wavepoint_claims where until < clock_timestamp() - $1 * interval '1 millisecond' returning run, until) select wavepoint_order(r.id, r.workflow, r.head, r.id || '!' || gone.until, null, 0) from gone join wavepoint_runs r on r.id = gone.run where r.status = 'running'",
      [leaseMs],
    );
  }

  async function deleteOld(here: Dbos): Promise<void> {
    const completedBefore = new Date(Date.now() - KEPT_MS).toISOString();
    const old = await here.listWorkflows({
      workflowName: SEGMENT,
      status: "SUCCESS",
      completedBefore,
      loadInput: false,
      loadOutput: false,
      limit: DELETED_AT_A_TIME,
    });
    if (old.length > 0) await here.deleteWorkflows(old.map(({ workflowID }) => workflowID));
  }

  await say(leaseMs);
  const timer = setInterval(() => {
    beating ??= beat().finally(() => {
      beating = undefined;
    });
  }, leaseMs / 3);
  return {
    watch(here) {
      dbos = here;
    },
    async end() {
      clearInterval(timer);
      dbos = undefined;
      await beating;
      await say(0).catch((error: unknown) => onWarning(`The end was not said: ${String(error)}`));
    },
  };
}
