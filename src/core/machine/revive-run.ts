import { FAILED, OPENED, PAUSED, PENDING, STOPPED, WAITING } from "./block-status.ts";
import type { Folding } from "./fold-context.ts";
import { codeOf, put, recordOf, type RunState } from "./state.ts";
import type { Plan } from "../definition/definition.ts";
import { unitKey, type Unit } from "./unit.ts";

/**
 * An ended run goes on. What failed is pending again; what was stopped is where it stood before: the answers it had and the instants it waited for
 * hold.
 */
export function reviveRun({ state, compiled }: Folding): void {
  const wasCancelled = state.finished?.status === "cancelled";
  const { workflow, plan } = compiled;
  state.finished = undefined;
  state.fatal = -1;
  if (wasCancelled) restore(state, plan);
  // What failed in an earlier wave was let go by the definition that the run had then.
  for (const block of plan.waves[state.wave] ?? []) {
    const code = state.blocks[block];
    if ((code !== FAILED && code !== OPENED) || workflow.blocks[block]!.continueOnError === true) continue;
    const wave = plan.waveOf[block]!;
    const revived = state.items.has(block) ? reviveItems(state, block) : revive(state, { block });
    state.unsettled[wave] = state.unsettled[wave]! + revived;
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
  put(state, unit, PENDING, undefined);
  state.retries.delete(unitKey(unit));
  state.recoveries.delete(unitKey(unit));
  state.reviving.add(unitKey(unit));
  return 1;
}

/** What blocks had called was cancelled with the run, and goes on with it. */
function restore(state: RunState, plan: Plan): void {
  const { pauses, sleepers } = state;
  const asking = new Set([...[...state.open, ...state.answered].map((number) => unitKey(pauses[number]!)), ...state.calls.keys()]);
  for (const unit of unitsOfWave(state, plan)) {
    const key = unitKey(unit);
    if (state.callers.has(key)) state.reviving.add(key);
    if (codeOf(state, unit) !== STOPPED) continue;
    const sleeper = sleepers.get(key);
    const { at, ms } = recordOf(state, unit)!;
    if (sleeper) put(state, unit, WAITING, { at, ms, until: sleeper.until });
    else if (asking.has(key)) put(state, unit, PAUSED, { at, ms });
    else put(state, unit, PENDING, undefined);
  }
}

function unitsOfWave({ items, wave }: RunState, { waves }: Plan): readonly Unit[] {
  return (waves[wave] ?? []).flatMap((block): readonly Unit[] => {
    const opened = items.get(block);
    return opened ? opened.keys.map((_, item) => ({ block, item })) : [{ block }];
  });
}
