import { WorkflowError } from "../../model/errors.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";

/** A run, the run it was forked from or takes over from, that one's, and so on, as far as they are there. */
async function* forksBefore(services: Services, run: string): AsyncGenerator<string> {
  // Whoever can write the store can let runs come from each other.
  const seen = new Set<string>();
  for (let next: string | undefined = run; next !== undefined && !seen.has(next);) {
    seen.add(next);
    yield next;
    const source: string | undefined = (await services.store.head(next))?.fork?.run;
    // A run that is called anew takes over without sharing a past.
    next = source ?? (await services.find(next))?.session.state.revises?.run;
  }
}

/** Whether a run is another one, or was forked from it, directly or not. */
export async function isForkOf(services: Services, run: string, other: string): Promise<boolean> {
  for await (const before of forksBefore(services, run)) if (before === other) return true;
  return false;
}

/**
 * The run that a unit of a run called. What a fork shares with the run it comes from was called there, so that run's is given, or that of the one
 * before it. Nothing where it is gone.
 */
export async function findCalled(services: Services, run: string, unit: string): Promise<LiveRun | undefined> {
  for await (const caller of forksBefore(services, run)) {
    const called = await services.find(await services.childId(caller, unit));
    if (!called) continue;
    if (!called.active) await called.update();
    return called;
  }
  return undefined;
}

/** The same; throws `RUN_NOT_FOUND` where it is gone. */
export async function getCalled(services: Services, run: string, unit: string): Promise<LiveRun> {
  const called = await findCalled(services, run, unit);
  if (called) return called;
  throw new WorkflowError(
    "RUN_NOT_FOUND",
    `The run that block "${unit}" of run ${run} called was deleted, so there is no way back to what it asked. Begin at another question.`,
    { details: { run, block: unit } },
  );
}
