import { callersOf } from "../machine/machine.ts";
import { WorkflowError } from "../model/errors.ts";
import type { Release } from "../ports/store.ts";
import { findAllCalled } from "../runner/runner.ts";
import type { OpenRun, Services } from "./services.ts";

/** Locks a run that does not execute, in its newest state. Throws `RUN_ACTIVE`. */
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
  return new WorkflowError(
    "RUN_ACTIVE",
    `Run ${run} is executing or moving, here or elsewhere. Try again later; a dead process frees it within seconds.`,
    { details: { run } },
  );
}

/**
 * Works on a run and the runs it called while none of them executes. `work` gets them in their newest state, each after its caller. Throws `RUN_ACTIVE`.
 */
export async function holdFamily<T>(services: Services, main: OpenRun, work: (family: readonly OpenRun[]) => Promise<T>): Promise<T> {
  const releases: Release[] = [];
  try {
    const family = [main];
    // Runs that are added to the list meanwhile are visited too.
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
