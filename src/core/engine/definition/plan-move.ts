import { WorkflowError } from "../../model/errors.ts";
import { waveCheckpointId, pauseId } from "../../model/ids.ts";
import type { MovePlan } from "../../model/move-plan.ts";
import type { Workflow } from "../../model/workflow.ts";
import { compileWorkflow, type CompiledWorkflow } from "../compile.ts";
import type { LiveRun } from "../live-run.ts";
import { foldRun, readPast } from "../read-run.ts";
import type { Services } from "../services.ts";
import type { RunState } from "../state.ts";
import { transition } from "../transition.ts";
import { canonicalJson } from "./canonical-json.ts";
import { compareDefinitions, findInputObstacles } from "./compare-definitions.ts";
import { placeBlocks } from "./place-blocks.ts";

/** See `Run.plan`. */
export async function planMove(services: Services, run: LiveRun, workflow: Workflow | undefined): Promise<MovePlan> {
  await run.refresh();
  const state = await stateToMove(services, run);
  return describeMove(services, state, compileWorkflow(workflow ?? services.workflow(state.started.workflow)));
}

/** The stored state of a run as it goes on: one that failed has what failed before it. Nobody else has it. Throws `RUN_NOT_FOUND`. */
export async function stateToMove(services: Services, run: LiveRun): Promise<RunState> {
  const { session } = run;
  await session.flushed();
  const { head } = session;
  if (!head)
    throw new WorkflowError("RUN_NOT_FOUND", `Run ${run.id} is not stored yet. Wait until it rests.`, { details: { run: run.id } });
  const state = await foldRun(services, run.id, head.entries);
  state.base = head.base ?? 0;
  if (state.finished?.status === "failed") transition(state, { type: "resumed", at: state.lastAt });
  return state;
}

/** Whether a run in this state can go on with another definition, and how. */
export async function describeMove(services: Services, state: RunState, target: CompiledWorkflow): Promise<MovePlan> {
  const from = state.definition;
  const to = await services.host.hash(canonicalJson(target.workflow));
  if (from === to) return { verdict: "same", from, to, differences: [] };
  const { differences, changed } = compareDefinitions(state, target);
  const place = changed.size > 0 ? await findPlace(services, state, changed) : undefined;
  const obstacles = [...placeBlocks(state, target).obstacles, ...findInputObstacles(state, target)];
  const all = [...differences, ...obstacles.filter(({ kind }) => kind === "changed" || kind === "inputs")];
  const verdict = obstacles.length > 0 ? "needs_migration" : changed.size > 0 ? "fork" : "compatible";
  return { verdict, from, to, differences: all, ...(place ? { forkFrom: place } : {}) };
}

/** The newest checkpoint before anything happened of the given blocks; nothing where the journal no longer reaches back that far. */
async function findPlace(services: Services, state: RunState, blocks: ReadonlySet<string>): Promise<MovePlan["forkFrom"]> {
  const entries = await readPast(services, state.id, state.base, state.entries);
  const first = entries.findIndex((entry) => "block" in entry && blocks.has(entry.block));
  if (first < 0) return undefined;
  const place = state.base + first;
  const wave = state.ends.filter((end) => end <= place).length;
  const checkpoints = [
    ...state.ends.map((end, number) => ({ end, id: waveCheckpointId(state.id, number), isGone: state.forgottenEnds.has(number) })),
    ...state.pauses.map(({ end, forgotten }, number) => ({ end, id: pauseId(state.id, number), isGone: forgotten || end === 0 })),
  ];
  const newest = checkpoints
    .filter(({ end, isGone }) => !isGone && end <= place && end >= state.base)
    .reduce<{ readonly end: number; readonly id: string } | undefined>(
      (last, one) => (last && last.end >= one.end ? last : one),
      undefined,
    );
  return newest ? { wave, checkpoint: newest.id } : { wave };
}
