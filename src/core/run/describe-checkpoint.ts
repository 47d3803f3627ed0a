import type { CheckpointInfo } from "../model/checkpoint.ts";
import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { checkpointNotFound, type CheckpointPlace, entriesAt, foldRun, parsePlace } from "../journal/journal.ts";
import type { Services } from "./services.ts";
import { COMPLETED, type FoldedRun, openPauses, pausePath, PENDING, SKIPPED_BLOCK } from "../machine/machine.ts";

/** See `Executor.checkpoints.get`. */
export async function describeCheckpoint(services: Services, id: string): Promise<CheckpointInfo> {
  const place = parsePlace(id);
  const run = await stateAt(services, place);
  const { compiled, state } = run;
  const { plan } = compiled;
  const byStatus = (code: number): string[] =>
    plan.waves.flatMap((wave) => wave.filter((block) => state.blocks[block] === code).map((block) => plan.ids[block]!));
  const completed = byStatus(COMPLETED);
  const skipped = byStatus(SKIPPED_BLOCK);
  const asked = place.kind === "pause" ? state.pauses[place.number] : undefined;
  return {
    id: place.id,
    run: place.run,
    workflow: state.started.workflow,
    kind: place.kind,
    createdAt: state.started.at + state.lastAt,
    definition: state.definition,
    completedBlocks: completed,
    skippedBlocks: skipped,
    currentWave: isBetweenWaves(run) ? Math.max(0, state.wave - 1) : state.wave,
    totalWaves: plan.waves.length,
    progressPercentage: (completed.length / plan.ids.length) * 100,
    pauses: openPauses(state).map((number) => {
      const { entry } = state.pauses[number]!;
      return { id: pauseId(state.id, number), path: pausePath(entry), prompt: entry.prompt };
    }),
    ...(asked ? { pausedBlock: asked.entry.block, pausePrompt: asked.entry.prompt } : {}),
  };
}

/** Whether nothing has been recorded of the wave that comes next. */
function isBetweenWaves({ compiled, state }: FoldedRun): boolean {
  const { wave, blocks, iterations } = state;
  return (compiled.plan.waves[wave] ?? []).every((block) => blocks[block] === PENDING && !iterations.has(block));
}

/**
 * The run at a checkpoint, folded from the journal up to it. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`, and `CHECKPOINT_CORRUPT`
 * where its run cannot be read.
 */
async function stateAt(services: Services, place: CheckpointPlace): Promise<FoldedRun> {
  try {
    const run = await services.find(place.run);
    if (!run) throw checkpointNotFound(place.id);
    await run.refresh();
    // What was recorded may still be on its way to the store.
    await run.session.flushed();
    return await foldRun(services, place.run, entriesAt(run.session.folded, place));
  } catch (error) {
    if (isWorkflowError(error) && error.code === "RUN_NOT_FOUND") throw checkpointNotFound(place.id);
    if (!isWorkflowError(error) || (error.code !== "RUN_CORRUPT" && error.code !== "STORE_DATA_CORRUPT")) throw error;
    throw new WorkflowError("CHECKPOINT_CORRUPT", `Checkpoint ${place.id} cannot be loaded. ${error.message}`, {
      details: { ...error.details, checkpoint: place.id },
      cause: error,
    });
  }
}
