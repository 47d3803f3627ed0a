import { callersOf } from "../machine/machine.ts";
import { WorkflowError } from "../model/errors.ts";
import type { Release } from "../ports/store.ts";
import { findAllCalled } from "../runner/runner.ts";
import type { OpenRun, Services } from "./services.ts";

/** Holds a run that is not being executed, in its newest state. Throws `RUN_ACTIVE`. */
export async function holdIdle(services: Services, run: OpenRun): Promise<Release> {
  const release = run.active ? undefined : await services.store.claim(run.id);
  if (!release) throw executing(run.id);
  try {
    await run.refresh();
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

/** The error for a run that is being executed. */
export function executing(run: string): WorkflowError {
  return new WorkflowError("RUN_ACTIVE", `Run ${run} is executing. Wait until it is settled, or cancel it first.`, { details: { run } });
}

/**
 * Does some work while nothing of a run executes, nor of the runs its blocks called: they are given behind it, each behind its caller, as
 * they stand. Throws `RUN_ACTIVE`.
 */
export async function holdFamily<T>(services: Services, main: OpenRun, work: (family: readonly OpenRun[]) => Promise<T>): Promise<T> {
  const releases: Release[] = [];
  try {
    const family = [main];
    // What is added while the list is walked is walked too.
    for (const run of family) {
      releases.push(await holdIdle(services, run));
      for (const unit of callersOf(run.session.state)) {
        for (const child of await findAllCalled(services, run.session, unit)) family.push(child);
      }
    }
    return await work(family);
  } finally {
    for (const release of releases) await release();
  }
}
