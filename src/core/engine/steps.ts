import type { Step, StepStatus } from "../model/run.ts";
import { COMPLETED, FAILED, PAUSED, PENDING, SKIPPED_BLOCK, STOPPED } from "./block-code.ts";
import type { RunState } from "./state.ts";

const STATUS: { readonly [code: number]: StepStatus } = {
  [COMPLETED]: "completed",
  [FAILED]: "failed",
  [SKIPPED_BLOCK]: "skipped",
  [PAUSED]: "paused",
  [STOPPED]: "stopped",
};

/** The records of all blocks that were executed or skipped, by time, blocks of the same instant in the order of the plan. */
export function runSteps(state: RunState): readonly Step[] {
  const steps: Step[] = [];
  for (const wave of state.compiled.plan.waves) {
    for (const block of wave) {
      const record = state.records[block];
      if (!record || state.blocks[block] === PENDING) continue;
      steps.push({
        block: state.compiled.plan.ids[block]!,
        status: STATUS[state.blocks[block]!]!,
        at: state.started.at + record.at,
        tookMs: record.ms,
        ...(record.outputs === undefined ? {} : { outputs: record.outputs }),
        ...(record.error ? { error: record.error } : {}),
        ...(record.skipped ? { skipped: record.skipped } : {}),
      });
    }
  }
  return steps.toSorted((a, b) => a.at - b.at);
}
