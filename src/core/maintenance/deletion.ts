import { isDamage, WorkflowError } from "../model/errors.ts";
import { assertStoreKey, fullRunId } from "../model/ids.ts";
import type { Release, Store } from "../ports/store.ts";
import { forgetCheckpoint } from "../runner/runner.ts";
import { hasCheckpoint, listHeads, parsePlace } from "../journal/journal.ts";
import { executing, holdFamily, holdIdle, type Services } from "../run/run.ts";
import type { RunHead } from "../model/run.ts";
import { groupBy } from "../model/group-by.ts";

/** Deletes a run and the runs its blocks called; see `Executor.runs.delete`. */
export async function deleteRun(services: Services, address: string): Promise<void> {
  assertStoreKey(address, "The run id");
  const id = fullRunId(address);
  try {
    const run = await services.find(id);
    if (run) {
      await holdFamily(services, run, async (family) => {
        await deleteAll(services, family);
        for (const one of family) await one.closeResources();
      });
    }
  } catch (error) {
    // Deleting it must be possible still.
    if (!isDamage(error)) throw error;
    await deleteDamaged(services, id);
  }
}

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
  const deleted = await whileClaimed(services.store, family, async () => {
    await deleteAll(services, family);
    return true;
  });
  if (!deleted) throw executing(id);
}

/** Does some work while none of these runs executes elsewhere; nothing where one of them is held. */
export async function whileClaimed<T>(
  store: Store,
  runs: readonly { readonly id: string }[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  const releases: Release[] = [];
  try {
    for (const { id } of runs) {
      const release = await store.claim(id);
      if (!release) return undefined;
      releases.push(release);
    }
    return await work();
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

/** Runs by the one that called them. */
type CalledRuns = ReadonlyMap<string | undefined, readonly RunHead[]>;

export function groupByCaller(heads: readonly RunHead[]): CalledRuns {
  return groupBy(heads, ({ parent }) => parent?.run);
}

/** A run and those it called, directly or not, as lists tell of them, each behind its caller. */
export function familyOf<Run extends Pick<RunHead, "id">>(run: Run, called: CalledRuns): readonly (Run | RunHead)[] {
  // A tampered store may hold runs that call each other.
  const family = new Map<string, Run | RunHead>([[run.id, run]]);
  // What is added while the map is walked is walked too.
  for (const { id } of family.values()) for (const child of called.get(id) ?? []) if (!family.has(child.id)) family.set(child.id, child);
  return [...family.values()];
}

/**
 * Refuses to change what is sealed and was not opened: the store is an encrypted one, and the caller has not given its key. A change would
 * look like tampering to those who have the key. Throws `STORE_KEY_WRONG`.
 */
export function assertUnsealed({ id, sealed }: Pick<RunHead, "id" | "sealed">): void {
  if (sealed === undefined) return;
  throw new WorkflowError(
    "STORE_KEY_WRONG",
    `This store is encrypted, and it was opened without its key. Nothing was changed; open it with encryptedStore and its key or passphrase.`,
    { details: { run: id } },
  );
}
