import { groupBy } from "../../core/model/group-by.ts";
import { SEGMENT } from "./database.ts";
import type { Dbos, WorkerSetup } from "./setup.ts";

/** How many orders of dead workers are taken over at a time. */
const AT_A_TIME = 1_000;
/** How long what was done with stays in the tables of DBOS, in milliseconds, and how much of it is deleted at a time. */
const KEPT_MS = 600_000;
const DELETED_AT_A_TIME = 500;

/** The signs of life of a worker. */
export interface Heartbeat {
  /** From now on, orders of workers that give none are taken over. */
  watch(dbos: Dbos): void;
  /** The worker is gone: what it has not done is for others, at once. */
  end(): Promise<void>;
}

/** Says by the clock of the database that this worker lives, three times in a lease. What fails is tried again the next time. */
export async function keepAlive(
  { query, leaseMs, onWarning }: Pick<WorkerSetup, "query" | "leaseMs" | "onWarning">,
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
      if (!dbos) return;
      await takeOver(dbos);
      await orderForgotten();
      await deleteOld(dbos);
    } catch (error) {
      onWarning(`The sign of life failed: ${String(error)}`);
    }
  }

  /** Lets living workers execute what dead ones had begun, and this one what it took and lost in a failure of the database. */
  async function takeOver(here: Dbos): Promise<void> {
    const gone = await query<{ readonly id: string }>("select id from wavepoint_workers where until < clock_timestamp()");
    const executorId = [worker.id, ...gone.map(({ id }) => id)];
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
    const left = new Set(begun.map((order) => order.executorId));
    const done = executorId.filter((id) => id !== worker.id && !left.has(id));
    if (done.length > 0) await query("delete from wavepoint_workers where id = any($1) and until < clock_timestamp()", [done]);
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
