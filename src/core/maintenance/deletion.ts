import { isWorkflowError, type WorkflowError } from "../model/errors.ts";
import { assertStoreKey, fullRunId } from "../model/ids.ts";
import type { Release } from "../ports/store.ts";
import { assertUnsealed } from "./assert-unsealed.ts";
import { forgetCheckpoint } from "../runner/runner.ts";
import { hasCheckpoint, parsePlace } from "../journal/journal.ts";
import { familyOf, groupByCaller } from "./family-of.ts";
import { executing, holdFamily, holdIdle, listHeads, type Services } from "../run/run.ts";

/** Deletes a run and the runs its blocks called; see `Executor.runs.delete`. */
export async function deleteRun(services: Services, address: string): Promise<void> {
  assertStoreKey(address, "The run id");
  const id = fullRunId(address);
  try {
    const run = await services.find(id);
    if (run) await holdFamily(services, run, (family) => deleteAll(services, family));
  } catch (error) {
    if (!isWorkflowError(error) || !DAMAGE.has(error.code)) throw error;
    await deleteDamaged(services, id);
  }
}

/** What a run can have that cannot be read any more: deleting it must be possible still. */
const DAMAGE: ReadonlySet<WorkflowError["code"]> = new Set<WorkflowError["code"]>(["RUN_CORRUPT", "STORE_DATA_CORRUPT", "STORE_TAMPERED"]);

/** Deletes held runs, callers first: a crash leaves unreferenced runs, never one that misses what it called. */
export async function deleteAll(services: Services, family: readonly { readonly id: string }[]): Promise<void> {
  for (const { id } of family) {
    await services.store.delete(id);
    services.drop(id);
  }
}

/** A run of which only the heads tell what it called. */
async function deleteDamaged(services: Services, id: string): Promise<void> {
  const { heads } = await listHeads(services);
  const family = familyOf(heads.find((head) => head.id === id) ?? { id }, groupByCaller(heads));
  for (const run of family) assertUnsealed(run);
  const releases: Release[] = [];
  try {
    for (const run of family) {
      const release = await services.store.claim(run.id);
      if (!release) throw executing(run.id);
      releases.push(release);
    }
    await deleteAll(services, family);
  } finally {
    for (const release of releases) await release();
  }
}

/** Deletes a checkpoint; see `Executor.checkpoints.delete`. */
export async function deleteCheckpoint(services: Services, id: string): Promise<boolean> {
  const place = parsePlace(id);
  const run = await services.find(place.run);
  if (!run) return false;
  const release = await holdIdle(services, run);
  try {
    if (!hasCheckpoint(run.session.folded, place)) return false;
    await forgetCheckpoint(services, run, place);
    return true;
  } finally {
    await release();
  }
}
