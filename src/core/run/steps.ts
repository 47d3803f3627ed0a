import { WorkflowError } from "../model/errors.ts";
import type { Step, StepStatus } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import {
  codeOf,
  type FoldedRun,
  OPENED,
  PENDING,
  recordOf,
  type RunReading,
  type RunState,
  STATUS_NAMES,
  type StepRecord,
  type Unit,
  unitState,
} from "../machine/machine.ts";
import { foldRun, pruned } from "../journal/journal.ts";
import type { RunValues, SuperstepOptions } from "./api.ts";
import type { OpenRun, Services } from "./services.ts";

/** See `Run.steps`. */
export async function stepsOf(services: Services, run: OpenRun, options: SuperstepOptions): Promise<readonly Step[]> {
  return runSteps(await runAt(services, run, options));
}

/** See `Run.state`. */
export async function valuesOf(services: Services, run: OpenRun, options: SuperstepOptions): Promise<RunValues> {
  const { compiled, state } = await runAt(services, run, options);
  const values = compiled.plan.ids.flatMap((id, block): (readonly [string, Values | null])[] => {
    const outputs = state.records.get(block)?.outputs;
    return outputs === undefined ? [] : [[id, outputs]];
  });
  return { superstep: options.superstep ?? state.ends.length - 1, values: Object.fromEntries(values) };
}

async function runAt(services: Services, run: OpenRun, { superstep }: SuperstepOptions): Promise<FoldedRun> {
  await run.refresh();
  const { folded, state } = run.session;
  if (superstep === undefined) return folded;
  const entries = state.ends[superstep];
  if (entries === undefined) {
    throw new WorkflowError(
      "CHECKPOINT_NOT_FOUND",
      `Run ${run.id} has no superstep ${superstep}; ${state.ends.length} have ended, counted from 0.`,
      { details: { run: run.id, superstep, supersteps: state.ends.length } },
    );
  }
  if (entries < folded.base) throw pruned(folded, `Superstep ${superstep}`);
  // What was recorded may still be on its way to the store.
  await run.session.flushed();
  return foldRun(services, run.id, entries);
}

/**
 * The records of all executions of blocks and items, and of what was skipped, by time; those of the same instant in the order of the plan,
 * the items of a block before it.
 */
function runSteps(run: RunReading): readonly Step[] {
  const { compiled, state } = run;
  const steps: Step[] = [];
  for (const wave of compiled.plan.waves) {
    for (const block of wave) {
      state.items.get(block)?.keys.forEach((_, item) => addStep(steps, run, { block, item }));
      addStep(steps, run, { block });
    }
  }
  return steps.toSorted((a, b) => a.at - b.at);
}

/** The executions of a unit: those that asked to run again, and the last one once there is a record of it. */
function addStep(steps: Step[], { compiled, state }: RunReading, unit: Unit): void {
  const past = unitState(state, unit).progress.loop?.past ?? [];
  const code = codeOf(state, unit);
  const last = code === PENDING || code === OPENED ? undefined : recordOf(state, unit);
  const { block, item } = unit;
  let before = 0;
  for (const [i, record] of [...past, ...(last ? [last] : [])].entries()) {
    steps.push({
      block: compiled.plan.ids[block]!,
      ...(item === undefined ? {} : { item }),
      ...(past.length > 0 ? { iteration: i + 1 } : {}),
      status: i < past.length ? "completed" : (STATUS_NAMES[code] as StepStatus),
      ...describe(state, record, before),
    });
    before = record.ms;
  }
}

function describe({ started }: RunState, record: StepRecord, before: number): Omit<Step, "block" | "status"> {
  return {
    at: started.at + record.at,
    tookMs: Math.max(0, record.ms - before),
    ...(record.outputs === undefined ? {} : { outputs: record.outputs }),
    ...(record.error ? { error: record.error } : {}),
    ...(record.skipped ? { skipped: record.skipped } : {}),
    ...(record.attempts === undefined ? {} : { attempts: record.attempts }),
    ...(record.until === undefined ? {} : { until: started.at + record.until }),
  };
}
