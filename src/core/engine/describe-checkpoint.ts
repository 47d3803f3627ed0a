import type { CheckpointInfo } from "../model/checkpoint.ts";
import { pauseId } from "../model/ids.ts";
import { checkpointNotFound, entriesAt, parsePlace } from "./checkpoints.ts";
import type { Services } from "./services.ts";
import { foldRun } from "./read-run.ts";
import { COMPLETED, SKIPPED_BLOCK } from "./block-code.ts";
import { openPauses } from "./state.ts";
import { pausePath } from "./unit.ts";

/** The state at a checkpoint, folded from the journal up to it. Throws `CHECKPOINT_NOT_FOUND`. */
export async function describeCheckpoint(services: Services, id: string): Promise<CheckpointInfo> {
  const place = parsePlace(id);
  const run = await services.find(place.run);
  if (!run) throw checkpointNotFound(id);
  await run.refresh();
  const state = await foldRun(services, place.run, entriesAt(run.session.state, place));
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
    definition: state.started.definition,
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
