import { OPENED, PENDING, WAITING } from "./block-status.ts";
import { codeOf, type PauseState, type RunReading, type RunState } from "./state.ts";
import { deliver, type Deliveries } from "./signals.ts";
import { unitState } from "./unit-state.ts";
import { type Unit, unitKey } from "./unit.ts";

/**
 * The units of the current wave that a process may be executing at a moment: they have no record, or an answer to handle, or their instant has come. A
 * unit that called a workflow only waits; the called run has units of its own.
 */
export function unitsInFlight({ compiled, state }: RunReading, at: number): readonly Unit[] {
  const { wave, pauses, answered } = state;
  // A unit that was cleared to run again has begun to do so, or not.
  const isWorkedOn = (pause: PauseState): boolean => !pause.entry.about || unitState(state, pause).begun?.isCleared === false;
  const resumed = [...answered].map((number) => pauses[number]!).filter(isWorkedOn);
  const undoing = state.compensation?.left.at(-1);
  const begun = undoing ? [undoing.block] : (compiled.plan.waves[wave] ?? []);
  const others = begun.flatMap((block): readonly Unit[] => {
    if (state.blocks[block] !== OPENED) return [{ block }];
    return [...state.items.get(block)!.codes.keys()].map((item) => ({ block, item }));
  });
  const { units: delivered } = deliver(state);
  return [...resumed, ...others.filter((unit) => isDue(state, unit, { at, delivered }))].filter((unit) => !unitState(state, unit).caller);
}

interface Moment {
  readonly at: number;
  readonly delivered: Deliveries["units"];
}

function isDue(state: RunState, unit: Unit, { at, delivered }: Moment): boolean {
  const code = codeOf(state, unit);
  if (code !== WAITING) return code === PENDING;
  return (unitState(state, unit).progress.sleeper!.until ?? Infinity) <= at || delivered.has(unitKey(unit));
}
