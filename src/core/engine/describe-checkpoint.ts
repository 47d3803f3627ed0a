import type { CheckpointInfo } from "../model/checkpoint.ts";
import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { checkpointNotFound, entriesAt, parsePlace, type CheckpointPlace } from "./checkpoints.ts";
import type { Services } from "./services.ts";
import { foldRun } from "./read-run.ts";
import { COMPLETED, SKIPPED_BLOCK } from "./block-code.ts";
import { openPauses, type RunState } from "./state.ts";
import { pausePath } from "./unit.ts";

/** See `Executor.checkpoints.get`. */
export async function describeCheckpoint(services: Services, id: string): Promise<CheckpointInfo> {
  const place = parsePlace(id);
  const state = await stateAt(services, place);
  const { plan } = state.compiled;
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
    currentWave: place.kind === "wave" ? Math.max(0, state.wave - 1) : Math.min(state.wave, plan.waves.length - 1),
    totalWaves: plan.waves.length,
    progressPercentage: (completed.length / plan.ids.length) * 100,
    pauses: openPauses(state).map((number) => {
      const { entry } = state.pauses[number]!;
      return { id: pauseId(state.id, number), path: pausePath(entry), prompt: entry.prompt };
    }),
    ...(asked ? { pausedBlock: asked.entry.block, pausePrompt: asked.entry.prompt } : {}),
  };
}

/**
 * The state at a checkpoint, folded from the journal up to it. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`, and `CHECKPOINT_CORRUPT`
 * where its run cannot be read.
 */
async function stateAt(services: Services, place: CheckpointPlace): Promise<RunState> {
  try {
    const run = await services.find(place.run);
    if (!run) throw checkpointNotFound(place.id);
    await run.refresh();
    // What was recorded may still be on its way to the store.
    await run.session.flushed();
    return await foldRun(services, place.run, entriesAt(run.session.state, place));
  } catch (error) {
    if (isWorkflowError(error) && error.code === "RUN_NOT_FOUND") throw checkpointNotFound(place.id);
    if (!isWorkflowError(error) || (error.code !== "RUN_CORRUPT" && error.code !== "STORE_DATA_CORRUPT")) throw error;
    throw new WorkflowError("CHECKPOINT_CORRUPT", `Checkpoint ${place.id} cannot be loaded. ${error.message}`, {
      details: { ...error.details, checkpoint: place.id },
      cause: error,
    });
  }
}
