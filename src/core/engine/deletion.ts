import { WorkflowError } from "../model/errors.ts";
import { assertStoreKey } from "../model/ids.ts";
import type { Release } from "../ports/store.ts";
import { forgetCheckpoint } from "./cancel-run.ts";
import { hasCheckpoint, parsePlace } from "./checkpoints.ts";
import type { LiveRun } from "./live-run.ts";
import type { Services } from "./services.ts";

/** Deletes a run and the runs its blocks called; see `Executor.runs.delete`. */
export async function deleteRun(services: Services, id: string): Promise<void> {
  assertStoreKey(id, "The run id");
  const run = await services.find(id);
  if (!run) return;
  const release = await holdIdle(services, run);
  try {
    for (const unit of run.session.state.callers.values()) await deleteRun(services, await run.childId(unit));
    await services.store.delete(id);
    services.drop(id);
  } finally {
    await release();
  }
}

/** Deletes a checkpoint; see `Executor.checkpoints.delete`. */
export async function deleteCheckpoint(services: Services, id: string): Promise<boolean> {
  const place = parsePlace(id);
  const run = await services.find(place.run);
  if (!run) return false;
  const release = await holdIdle(services, run);
  try {
    if (!hasCheckpoint(run.session.state, place)) return false;
    await forgetCheckpoint(run, place);
    return true;
  } finally {
    await release();
  }
}

/** Holds a run that nobody executes, in its newest state. Throws `RUN_ACTIVE`. */
export async function holdIdle(services: Services, run: LiveRun): Promise<Release> {
  const release = run.active ? undefined : await services.store.claim(run.id);
  if (!release) {
    throw new WorkflowError("RUN_ACTIVE", `Run ${run.id} is executing. Wait until it is settled, or cancel it first.`, {
      details: { run: run.id },
    });
  }
  try {
    await run.refresh();
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}
