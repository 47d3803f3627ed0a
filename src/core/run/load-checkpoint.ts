import type { CheckpointInfo } from "../model/checkpoint.ts";
import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { checkpointNotFound, type CheckpointPlace, entriesAt, foldRun, parsePlace } from "../journal/journal.ts";
import { COMPLETED, type FoldedRun, openPauses, pausePath, PENDING, SKIPPED_BLOCK, unitState } from "../machine/machine.ts";
import type { OpenRun, Services } from "./services.ts";

/** See `Executor.checkpoints.get`. */
export async function describeCheckpoint(services: Services, id: string): Promise<CheckpointInfo> {
  const { place, past } = await loadCheckpoint(services, id);
  const { compiled, state } = past;
  const { plan } = compiled;
  const byStatus = (code: number): string[] =>
    plan.waves.flatMap((wave) => wave.filter((block) => state.blocks[block] === code).map((block) => plan.ids[block]!));
  const completed = byStatus(COMPLETED);
  const asked = place.kind === "pause" ? state.pauses[place.number]?.entry : undefined;
  return {
    id,
    run: place.run,
    workflow: state.started.workflow,
    kind: place.kind,
    createdAt: state.started.at + (asked?.at ?? state.lastAt),
    definition: state.definition,
    completedBlocks: completed,
    skippedBlocks: byStatus(SKIPPED_BLOCK),
    currentWave: isBetweenWaves(past) ? Math.max(0, state.wave - 1) : state.wave,
    totalWaves: plan.waves.length,
    progressPercentage: (completed.length / plan.ids.length) * 100,
    pauses: openPauses(state).map((number) => {
      const { entry } = state.pauses[number]!;
      return { id: pauseId(state.id, number), path: pausePath(entry), prompt: entry.prompt };
    }),
    ...(asked ? { pausedBlock: asked.block, pausePrompt: asked.prompt } : {}),
  };
}

/** Whether nothing has been recorded of the wave that comes next. */
function isBetweenWaves({ compiled, state }: FoldedRun): boolean {
  const { wave, blocks } = state;
  return (compiled.plan.waves[wave] ?? []).every((block) => blocks[block] === PENDING && !unitState(state, { block }).progress.loop);
}

/** A checkpoint, and what its run was then. */
export interface LoadedCheckpoint {
  readonly place: CheckpointPlace;
  readonly run: OpenRun;
  /** How many entries of the run belong to it. */
  readonly entries: number;
  readonly past: FoldedRun;
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
    const entries = entriesAt(await storedRun(services, run), place);
    return { place, run, entries, past: await foldRun(services, place.run, entries) };
  } catch (error) {
    if (isWorkflowError(error) && error.code === "RUN_NOT_FOUND") throw checkpointNotFound(id);
    if (!isWorkflowError(error) || (error.code !== "RUN_CORRUPT" && error.code !== "STORE_DATA_CORRUPT")) throw error;
    throw new WorkflowError("CHECKPOINT_CORRUPT", `Checkpoint ${id} cannot be loaded. ${error.message}`, {
      details: { ...error.details, checkpoint: id },
      cause: error,
    });
  }
}

/** A run as its journal has it, entry by entry. */
async function storedRun(services: Services, run: OpenRun): Promise<FoldedRun> {
  await run.update();
  // What was recorded may still be on its way to the store.
  await run.session.flushed();
  const { session } = run;
  return session.isFaithful || !session.head ? session.folded : foldRun(services, run.id, session.head.entries);
}
