import { survivesFailure } from "../model/workflow.ts";
import { FAILED, OPENED, PAUSED, PENDING, STOPPED, WAITING } from "./block-status.ts";
import type { Folding } from "./folding.ts";
import { codeOf, put, recordOf, type RunState } from "./state.ts";
import type { Plan } from "../definition/definition.ts";
import { changeUnit, unitState } from "./unit-state.ts";
import { unitKey, type Unit } from "./unit.ts";

/**
 * Continues an ended run. What failed is pending again. What was stopped is where it was before, with its answers and the instants that it waited for.
 */
export function reviveRun({ state, compiled }: Folding): void {
  const wasCancelled = state.finished?.status === "cancelled";
  const { workflow, plan } = compiled;
  state.finished = undefined;
  state.fatal = -1;
  // Failures of earlier waves were tolerated by the definition of that time. After a revision, later waves have begun too.
  for (let wave = state.wave; wave < plan.waves.length; wave++) {
    if (wasCancelled) restore(state, plan, wave);
    for (const block of plan.waves[wave]!) {
      const code = state.blocks[block];
      if ((code !== FAILED && code !== OPENED) || survivesFailure(workflow.blocks[block]!)) continue;
      const revived = state.items.has(block) ? reviveItems(state, block) : revive(state, { block });
      state.unsettled[wave] = state.unsettled[wave]! + revived;
    }
  }
}

/** The items that failed are pending again; gives how many. */
function reviveItems(state: RunState, block: number): number {
  const items = state.items.get(block)!;
  let revived = 0;
  items.codes.forEach((code, item) => {
    if (code === FAILED) revived += revive(state, { block, item });
  });
  items.left += revived;
  put(state, { block }, OPENED, { at: state.lastAt, ms: 0 });
  return revived;
}

/** A unit that failed is pending again. */
function revive(state: RunState, unit: Unit): 1 {
  const code = recordOf(state, unit)?.error?.code;
  put(state, unit, PENDING, undefined);
  const { progress } = changeUnit(state, unit);
  // It gets its signals once more, except one that was refused.
  const past = progress.loop?.past.length ?? 0;
  for (const [id, taken] of progress.signals ?? []) if (taken.past === past && code !== "SIGNAL_INVALID") progress.signals!.delete(id);
  progress.retries = undefined;
  progress.recoveries = undefined;
  progress.isRevived = true;
  return 1;
}

/** Continues the called runs, which were cancelled with the run. */
function restore(state: RunState, plan: Plan, wave: number): void {
  const waiting = state.waiting.get(wave);
  for (const unit of unitsOfWave(state, plan, wave)) {
    const { caller, progress } = unitState(state, unit);
    if (caller) progress.isRevived = true;
    if (codeOf(state, unit) !== STOPPED) continue;
    const { at, ms } = recordOf(state, unit)!;
    if (progress.sleeper) put(state, unit, WAITING, { at, ms, until: progress.sleeper.until });
    else if (waiting?.has(unitKey(unit))) put(state, unit, PAUSED, { at, ms });
    else put(state, unit, PENDING, undefined);
  }
}

function unitsOfWave({ items }: RunState, { waves }: Plan, wave: number): readonly Unit[] {
  return waves[wave]!.flatMap((block): readonly Unit[] => {
    const opened = items.get(block);
    return opened ? opened.keys.map((_, item) => ({ block, item })) : [{ block }];
  });
}
