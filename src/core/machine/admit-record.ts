import { PAUSED, PENDING, WAITING } from "./block-status.ts";
import { areSettled } from "./dependencies.ts";
import { corrupt, type Folding, listed } from "./folding.ts";
import { codeOf, type PauseState, stopWaiting } from "./state.ts";
import { endSuperstep } from "./supersteps.ts";
import { unitKey, type Unit } from "./unit.ts";

/** Checks that a unit may get a record now, and ends its waiting. */
export function admitRecord(folding: Folding, unit: Unit, what: string): void {
  const { state, compiled } = folding;
  const before = codeOf(state, unit);
  const isDue = before === PENDING || before === PAUSED || before === WAITING;
  const wave = compiled.plan.waveOf[unit.block]!;
  // A revision takes the run back to an earlier wave; units of later waves that had begun continue.
  const isBegun = wave > state.wave && state.revisions > 0 && (before !== PENDING || areSettled(folding, unit.block));
  const isNext = state.compensation ? state.compensation.left.at(-1)?.block === unit.block : wave === state.wave || isBegun;
  if (!isDue || !isNext) {
    throw corrupt(state, `${what} of block "${compiled.plan.ids[unit.block]!}" that is out of its turn`);
  }
  // A unit that asked to run again has done so: its record belongs to the next superstep.
  if (state.round.size > 0 && state.round.has(unitKey(unit))) endSuperstep(folding, state.entries - 1);
  if (wave >= 0 && wave < state.furthest) state.ran.add(wave);
  if (before === PENDING) return;
  stopWaiting(state, wave, unit);
  const { progress } = state.units.get(unitKey(unit))!;
  if (before === PAUSED) closePauses(folding, unit);
  else progress.sleeper = undefined;
  progress.call = undefined;
}

function closePauses(folding: Folding, { block, item }: Unit): void {
  const { state } = folding;
  for (const numbers of [state.open, state.answered]) {
    for (const number of numbers) {
      const pause = state.pauses[number]!;
      if (pause.block === block && pause.item === item) closePause(folding, pause);
    }
  }
}

/** Closes a pause: it waits for nothing any more. */
export function closePause(folding: Folding, pause: PauseState): void {
  const { state } = folding;
  if (state.open.delete(pause.entry.pause)) {
    folding.dropped = listed(folding.dropped, pause.entry.pause);
    pause.leftAt = state.entries - 1;
  }
  state.answered.delete(pause.entry.pause);
}
