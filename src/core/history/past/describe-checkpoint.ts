import type { CheckpointInfo } from "../../model/checkpoint.ts";
import { isDamage } from "../../model/errors.ts";
import { pauseId } from "../../model/ids.ts";
import type { Values } from "../../model/value.ts";
import { COMPLETED, type FoldedRun, type PauseState, PENDING, QuestionCounter, SKIPPED_BLOCK, unitState } from "../../machine/machine.ts";
import { calledId } from "../../runner/runner.ts";
import { isTakenBack } from "../../journal/journal.ts";
import { type OpenRun, type Services, viewPauses } from "../../run/run.ts";
import { type LoadedCheckpoint, loadCheckpoint } from "./load-checkpoint.ts";
import { contextOf } from "./run-context.ts";
import { countSteps } from "./steps.ts";

/** See `Executor.checkpoints.get`. */
export async function describeCheckpoint(services: Services, id: string): Promise<CheckpointInfo> {
  const checkpoint = await loadCheckpoint(services, id);
  const { place, past } = checkpoint;
  const { compiled, state } = past;
  const { plan } = compiled;
  const first = plan.ids.length - (state.added?.length ?? 0);
  const byStatus = (code: number): string[] =>
    plan.waves.flatMap((wave) => wave.filter((block) => state.blocks[block] === code).map((block) => plan.ids[block]!));
  const completed = byStatus(COMPLETED);
  const asked = place.kind === "pause" ? state.pauses[place.number] : undefined;
  const pauses = viewPauses({ session: past, drafts: new Map() }, new QuestionCounter(services.types).count(past));
  const requested = place.kind === "requested" ? state.requested[place.number] : undefined;
  const { parent, callers = [], version, inputs } = state.started;
  const links = asked ? await linksOf(services, checkpoint, asked) : {};
  return {
    id,
    run: place.run,
    workflow: state.started.workflow,
    kind: place.kind,
    createdAt: state.started.at + (asked?.entry.at ?? state.lastAt),
    ...(isTakenBack(checkpoint.now, place) && { superseded: true }),
    schemaVersion: version,
    definition: state.definition,
    blocks: compiled.workflow.blocks.filter((_, block) => !state.added?.[block - first]?.isGone),
    waves: plan.waves.map((wave) => wave.map((block) => plan.ids[block]!)),
    inputs,
    context: contextOf(past),
    supersteps: state.ends.length,
    stepCount: countSteps(past),
    callers,
    ...(parent ? { parent } : {}),
    ...links,
    completedBlocks: completed,
    skippedBlocks: byStatus(SKIPPED_BLOCK),
    currentWave: isBetweenWaves(past) ? Math.max(0, state.wave - 1) : state.wave,
    totalWaves: plan.waves.length,
    progressPercentage: (completed.length / plan.waves.reduce((sum, wave) => sum + wave.length, 0)) * 100,
    ...(requested && { metadata: requested.metadata as Values }),
    ...(asked
      ? {
          pausedBlock: asked.entry.block,
          pausePrompt: asked.entry.prompt,
          pauseMetadata: pauses.find((pause) => pause.id === id)?.metadata ?? {},
        }
      : {}),
    pauses,
  };
}

/** Whether the next wave has no record yet. */
function isBetweenWaves({ compiled, state }: FoldedRun): boolean {
  const { wave, blocks } = state;
  return (compiled.plan.waves[wave] ?? []).every((block) => blocks[block] === PENDING && !unitState(state, { block }).progress.loop);
}

type Links = Pick<CheckpointInfo, "parentCheckpoint" | "childCheckpoint">;

/** The pauses for the same question in the calling run and in the called run. */
async function linksOf(services: Services, { run, place, now }: LoadedCheckpoint, asked: PauseState): Promise<Links> {
  const number = asked.entry.child;
  const child = number === undefined ? undefined : pauseId(await calledId(services, now, asked), number);
  const parent = await parentOf(services, run, place);
  return {
    ...(parent === undefined ? {} : { parentCheckpoint: parent }),
    ...(child === undefined ? {} : { childCheckpoint: child }),
  };
}

async function parentOf(services: Services, run: OpenRun, place: LoadedCheckpoint["place"]): Promise<string | undefined> {
  const { parent } = run.session.origin;
  try {
    const caller = parent && (await services.find(parent.run));
    return caller && (await findStandIn(services, caller, place));
  } catch (error) {
    // A damaged caller is no reason to withhold the question of the called run.
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** The newest pause of a caller for a question of a run that it called. */
async function findStandIn(services: Services, caller: OpenRun, { run, number }: LoadedCheckpoint["place"]): Promise<string | undefined> {
  await caller.update();
  for (const pause of caller.session.state.pauses.toReversed()) {
    if (pause.entry.child !== number || pause.forgotten || pause.block < 0) continue;
    if ((await calledId(services, caller.session, pause)) === run) return pauseId(caller.id, pause.entry.pause);
  }
  return undefined;
}
