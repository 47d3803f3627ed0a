import { WorkflowError } from "../model/errors.ts";
import type { Step, StepStatus } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import { OPENED, PENDING, STATUS_NAMES } from "./block-code.ts";
import { pruned } from "./checkpoints.ts";
import type { RunValues, SuperstepOptions } from "./face.ts";
import type { LiveRun } from "./live-run.ts";
import { foldRun } from "./read-run.ts";
import type { Services } from "./services.ts";
import { codeOf, recordOf, type RunState } from "./state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** See `Run.steps`. */
export async function stepsOf(services: Services, run: LiveRun, options: SuperstepOptions): Promise<readonly Step[]> {
  return runSteps(await stateAt(services, run, options));
}

/** See `Run.state`. */
export async function valuesOf(services: Services, run: LiveRun, options: SuperstepOptions): Promise<RunValues> {
  const state = await stateAt(services, run, options);
  const { ids } = state.compiled.plan;
  const values = ids.flatMap((id, block): (readonly [string, Values | null])[] => {
    const outputs = state.records.get(block)?.outputs;
    return outputs === undefined ? [] : [[id, outputs]];
  });
  return { superstep: options.superstep ?? state.ends.length - 1, values: Object.fromEntries(values) };
}

async function stateAt(services: Services, run: LiveRun, { superstep }: SuperstepOptions): Promise<RunState> {
  await run.refresh();
  const { state } = run.session;
  if (superstep === undefined) return state;
  const entries = state.ends[superstep];
  if (entries === undefined) {
    throw new WorkflowError(
      "CHECKPOINT_NOT_FOUND",
      `Run ${run.id} has no superstep ${superstep}; ${state.ends.length} have ended, counted from 0.`,
      { details: { run: run.id, superstep, supersteps: state.ends.length } },
    );
  }
  if (entries < state.base) throw pruned(state, `Superstep ${superstep}`);
  // What was recorded may still be on its way to the store.
  await run.session.flushed();
  return foldRun(services, run.id, entries);
}

/**
 * The records of all blocks and items that were executed or skipped, by time; those of the same instant in the order of the plan, the items
 * of a block before it.
 */
function runSteps(state: RunState): readonly Step[] {
  const steps: Step[] = [];
  for (const wave of state.compiled.plan.waves) {
    for (const block of wave) {
      state.items.get(block)?.keys.forEach((_, item) => addStep(steps, state, { block, item }));
      addStep(steps, state, { block });
    }
  }
  return steps.toSorted((a, b) => a.at - b.at);
}

function addStep(steps: Step[], state: RunState, unit: Unit): void {
  const record = recordOf(state, unit);
  const code = codeOf(state, unit);
  if (!record || code === PENDING || code === OPENED) return;
  const { block, item } = unit;
  steps.push({
    block: state.compiled.plan.ids[block]!,
    ...(item === undefined ? {} : { item }),
    status: STATUS_NAMES[code] as StepStatus,
    at: state.started.at + record.at,
    tookMs: record.ms,
    ...(record.outputs === undefined ? {} : { outputs: record.outputs }),
    ...(record.error ? { error: record.error } : {}),
    ...(record.skipped ? { skipped: record.skipped } : {}),
    ...(record.attempts === undefined ? {} : { attempts: record.attempts }),
    ...(state.iterations.has(unitKey(unit)) ? { iterations: state.iterations.get(unitKey(unit))!.count } : {}),
    ...(record.until === undefined ? {} : { until: state.started.at + record.until }),
  });
}
