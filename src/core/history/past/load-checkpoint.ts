import { isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { checkpointNotFound, type CheckpointPlace, entriesAt, foldRun, parsePlace } from "../../journal/journal.ts";
import type { FoldedRun } from "../../machine/machine.ts";
import type { OpenRun, Services } from "../../run/run.ts";

/** A checkpoint, and what its run was then. */
export interface LoadedCheckpoint {
  readonly place: CheckpointPlace;
  readonly run: OpenRun;
  /** How many entries of the run belong to it. */
  readonly entries: number;
  readonly past: FoldedRun;
  /** The run as it is stored now. */
  readonly now: FoldedRun;
}

/**
 * The run at a checkpoint, folded from the journal up to it. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`, and `CHECKPOINT_CORRUPT`
 * where its run cannot be read.
 */
export async function loadCheckpoint(services: Services, id: string): Promise<LoadedCheckpoint> {
  const place = parsePlace(id);
  try {
    const run = await services.find(place.run);
    if (!run) throw checkpointNotFound(id);
    const now = await storedRun(services, run);
    const entries = entriesAt(now, place);
    return { place, run, entries, past: await foldRun(services, place.run, entries), now };
  } catch (error) {
    if (isWorkflowError(error) && error.code === "RUN_NOT_FOUND") throw checkpointNotFound(id);
    if (!isWorkflowError(error) || (error.code !== "RUN_CORRUPT" && error.code !== "STORE_DATA_CORRUPT")) throw error;
    throw new WorkflowError("CHECKPOINT_CORRUPT", `Checkpoint ${id} cannot be loaded. ${error.message}`, {
      details: { ...error.details, checkpoint: id },
      cause: error,
    });
  }
}

/** A run read from its journal, entry by entry, also while another tab or process executes it. */
export async function storedRun(services: Services, run: OpenRun): Promise<FoldedRun> {
  await run.update();
  // What was recorded may still be on its way to the store.
  await run.session.flushed();
  const { session } = run;
  const head = await services.store.head(run.id);
  // The run may have continued here while the store was read.
  const isCurrent = session.isFaithful && session.isStored && session.head?.revision === head?.revision;
  return isCurrent || !head ? session.folded : foldRun(services, run.id, head.entries);
}
