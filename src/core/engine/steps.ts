import type { Step, StepStatus } from "../model/run.ts";
import { OPENED, PENDING, STATUS_NAMES } from "./block-code.ts";
import { codeOf, recordOf, type RunState } from "./state.ts";
import { unitKey, type Unit } from "./unit.ts";

/**
 * The records of all blocks and items that were executed or skipped, by time; those of the same instant in the order of the plan, the items
 * of a block before it.
 */
export function runSteps(state: RunState): readonly Step[] {
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
