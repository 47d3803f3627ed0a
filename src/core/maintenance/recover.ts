import { errorData, isWorkflowError, WorkflowError } from "../model/errors.ts";
import type { FailedRun, Recovery } from "../model/maintenance.ts";
import { callersOf, codeOf, isDue, isSettled, type RunState, type Unit, unitState } from "../machine/machine.ts";
import { calledId, sleepUntilAborted, withAnySignal } from "../runner/runner.ts";
import type { OpenRun, RecoverOptions, Services } from "../run/run.ts";
import { allPages, listHeads } from "../journal/journal.ts";
import { groupBy } from "../model/group-by.ts";
import type { RunHead } from "../model/run.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import { workOnOrder } from "./work-on-order.ts";

/** Milliseconds between two looks. */
const EVERY_MS = 10_000;
/** How far the clocks of those who write may differ, in milliseconds. */
const CLOCKS_MS = 60_000;

/** Goes on with what a dead process left running, until the caller aborts or the executor is closed; see `Executor.recover`. */
export async function recoverRuns(
  services: Services,
  { watch = false, everyMs = EVERY_MS, signal }: RecoverOptions,
  closing: AbortSignalLike,
): Promise<Recovery> {
  if (!(Number.isSafeInteger(everyMs) && everyMs > 0)) {
    throw new WorkflowError("POLICY_INVALID", "everyMs is a whole number of milliseconds from 1.");
  }
  const found: Found = { runs: new Map(), failed: new Map(), seen: -Infinity, looks: 0 };
  const { orders } = services.store;
  await withAnySignal(services.host, [closing, signal], async (ended) => {
    if (orders) {
      if (watch) await orders.take((run) => workOnOrder(services, run), ended);
      return;
    }
    do {
      try {
        await lookOnce(services, found);
      } catch (error) {
        // A server that is started anew is back at one of the next looks. One that was never reached is a mistake.
        const isLost = isWorkflowError(error) && error.code === "STORE_LOST";
        if (!watch || !isLost || found.looks === 0) throw error;
      }
      found.looks += 1;
      if (watch && !ended.aborted) await sleepUntilAborted(services.host, everyMs, ended);
    } while (watch && !ended.aborted);
  });
  return { runs: [...found.runs.keys()], failed: [...found.failed.values()] };
}

interface Found {
  readonly runs: Map<string, OpenRun>;
  readonly failed: Map<string, FailedRun>;
  /** When the newest run had changed that was looked at. */
  seen: number;
  looks: number;
}

async function lookOnce(services: Services, found: Found): Promise<void> {
  const { heads } = await listHeads(services, { status: "running" });
  for (const { id } of heads) {
    const held = found.runs.get(id);
    // It waits for an instant here.
    if (held && !isDue(held.next())) continue;
    // It may have come to rest meanwhile.
    await takeOver(services, found, id, async (run) => run.result() === undefined);
  }
  for (const [id, called] of await listCallers(services, found)) {
    await takeOver(services, found, id, (run) => isUnaware(services, run, called));
  }
}

/**
 * Runs at rest, each with those that it called which came to rest no earlier: the process may have died before the caller took note of that. Then nothing says so but this,
 * since neither is running. Looks at those that changed since the last time.
 */
async function listCallers({ store }: Services, found: Found): Promise<ReadonlyMap<string, readonly string[]>> {
  const since = found.seen - CLOCKS_MS;
  const called: RunHead[] = [];
  for await (const { items } of allPages((place) => store.runs(place))) {
    for (const head of items) {
      if (head.parent && head.status !== "running") called.push(head);
      found.seen = Math.max(found.seen, head.changedAt);
    }
    // The one that changed last comes first.
    if ((items.at(-1)?.changedAt ?? -Infinity) < since) break;
  }
  const callers = new Map<string, string[]>();
  for (const [id, heads] of groupBy(called, ({ parent }) => parent!.run)) {
    const caller = await store.head(id);
    if (caller?.status !== "paused" || caller.reason !== undefined) continue;
    const newer = heads.filter(({ updatedAt }) => updatedAt >= caller.updatedAt);
    if (newer.length > 0)
      callers.set(
        id,
        newer.map((head) => head.id),
      );
  }
  return callers;
}

/** Whether one of the runs that a run called has ended, or asks something else than the run knows. */
async function isUnaware(services: Services, { session }: OpenRun, called: readonly string[]): Promise<boolean> {
  const { state } = session;
  for (const unit of callersOf(state)) {
    const id = await calledId(services, session, unit);
    if (!called.includes(id) || isSettled(codeOf(state, unit))) continue;
    const child = await services.find(id);
    await child?.update();
    const there = child?.session.state;
    // One that was stopped for now is looked at once it is resumed.
    if (!there || there.suspension) continue;
    if (there.finished || !isSame(asksOf(state, unit), there.open)) return true;
  }
  return false;
}

/** The open questions of a called run, as its caller knows them. */
function asksOf(state: RunState, unit: Unit): ReadonlySet<number> {
  const open = unitState(state, unit).progress.asked.filter((number) => state.open.has(number));
  return new Set(open.flatMap((number) => state.pauses[number]!.entry.child ?? []));
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((number) => other.has(number));
}

/** Goes on with a run, unless a living process holds it, or it is not left behind after all. */
async function takeOver(
  services: Services,
  { runs, failed }: Found,
  id: string,
  isLeft: (run: OpenRun) => Promise<boolean>,
): Promise<void> {
  const held = runs.get(id);
  if (held?.active) return;
  const fail = (error: unknown): void => void failed.set(id, { run: id, error: errorData(error, "STORE_FAILED") });
  try {
    // A process that holds the lock is alive.
    const release = await services.store.claim(id);
    if (!release) return;
    await release();
    const run = await services.find(id);
    await run?.update();
    if (!run || run.active || !(await isLeft(run))) return;
    run.assertHere();
    runs.set(id, run);
    run.goOn({ revive: false }).catch(fail);
  } catch (error) {
    fail(error);
  }
}
