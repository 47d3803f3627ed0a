import { WorkflowError } from "../model/errors.ts";
import { checkpointId } from "../model/ids.ts";
import type { MovePlan } from "../model/move-plan.ts";
import type { Workflow } from "../model/workflow.ts";
import { type CompiledWorkflow, hashDefinition } from "../definition/definition.ts";
import { assertNotCompensated, type OpenRun, type Services } from "../run/run.ts";
import { foldRun, readPast } from "../journal/journal.ts";
import { type FoldedRun, placeBlocks } from "../machine/machine.ts";
import { readyWorkflow } from "../runner/runner.ts";
import { compareDefinitions, findInputObstacles } from "./compare-definitions.ts";

/** See `Run.plan`. */
export async function planMove(services: Services, run: OpenRun, workflow: Workflow | undefined): Promise<MovePlan> {
  await run.refresh();
  const ahead = await stateToMove(services, run);
  return describeMove(services, ahead, await readyWorkflow(workflow ?? services.workflow(ahead.state.started.workflow), services.reducers));
}

/**
 * A copy of a stored run in the state from which it continues: in a failed run, its failed blocks are still to be executed. Throws
 * `RUN_NOT_FOUND`.
 */
export async function stateToMove(services: Services, run: OpenRun): Promise<FoldedRun> {
  const { session } = run;
  await session.flushed();
  const { head } = session;
  if (!head)
    throw new WorkflowError("RUN_NOT_FOUND", `Run ${run.id} is not stored yet. Wait until it rests.`, { details: { run: run.id } });
  const folded = await foldRun(services, run.id, head.entries);
  folded.base = head.base ?? 0;
  assertNotCompensated(folded.state);
  const { finished, lastAt } = folded.state;
  if (finished?.status === "failed") folded.apply({ type: "resumed", at: lastAt });
  return folded;
}

/** Whether a run in this state can go on with another definition, and how. */
export async function describeMove(services: Services, run: FoldedRun, target: CompiledWorkflow): Promise<MovePlan> {
  const { state } = run;
  const from = state.definition;
  const to = await hashDefinition(services.host, target.workflow);
  if (from === to) return { verdict: "same", from, to, differences: [] };
  const { differences, changed } = compareDefinitions(run, target);
  const place = changed.size > 0 ? await findPlace(services, run, changed) : undefined;
  const obstacles = [...placeBlocks(run, target).obstacles, ...findInputObstacles(state, target)];
  const all = [...differences, ...obstacles.filter(({ kind }) => kind === "changed" || kind === "inputs")];
  const verdict = obstacles.length > 0 ? "needs_migration" : changed.size > 0 ? "fork" : "compatible";
  return { verdict, from, to, differences: all, ...(place ? { forkFrom: place } : {}) };
}

/** The newest checkpoint before anything happened of the given blocks; nothing where the journal no longer reaches back that far. */
async function findPlace(services: Services, run: FoldedRun, blocks: ReadonlySet<string>): Promise<MovePlan["forkFrom"]> {
  const { state, base } = run;
  const entries = await readPast(services, state.id, base, state.entries);
  const first = entries.findIndex((entry) => "block" in entry && blocks.has(entry.block));
  if (first < 0) return undefined;
  const place = base + first;
  const { plan } = run.compiled;
  const wave = plan.waveOf[plan.index.get((entries[first] as { readonly block: string }).block)!]!;
  const checkpoints = [
    ...state.ends.map((end, number) => ({ end, id: checkpointId(state.id, "wave", number), isGone: state.forgottenEnds.has(number) })),
    ...state.pauses.map(({ end, forgotten }, number) => ({
      end,
      id: checkpointId(state.id, "pause", number),
      isGone: forgotten || end === 0,
    })),
    ...state.requested.map(({ entries: end, forgotten }, number) => ({
      end,
      id: checkpointId(state.id, "requested", number),
      isGone: forgotten,
    })),
  ];
  const newest = checkpoints
    .filter(({ end, isGone }) => !isGone && end <= place && end >= base)
    .reduce<{ readonly end: number; readonly id: string } | undefined>(
      (last, one) => (last && last.end >= one.end ? last : one),
      undefined,
    );
  return newest ? { wave, checkpoint: newest.id } : { wave };
}
