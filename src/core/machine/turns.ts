import type { CheckpointRow } from "../model/checkpoint.ts";
import { PAUSED, PENDING, WAITING } from "./block-status.ts";
import { areSettled } from "./dependencies.ts";
import { corrupt, type Folding } from "./folding.ts";
import { codeOf, type PauseState, type RunState, stopWaiting, unaskedCalls, waitingIn } from "./state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** Checks that something may be recorded of a unit now, and ends its waiting. */
export function takeTurn(folding: Folding, unit: Unit, what: string): void {
  const { state, compiled } = folding;
  const before = codeOf(state, unit);
  const isDue = before === PENDING || before === PAUSED || before === WAITING;
  const wave = compiled.plan.waveOf[unit.block]!;
  // A revision takes the run back to an earlier wave; what had begun behind that goes on.
  const isBegun = wave > state.wave && state.revisions > 0 && (before !== PENDING || areSettled(folding, unit.block));
  if (!isDue || (wave !== state.wave && !isBegun)) {
    throw corrupt(state, `${what} of block "${compiled.plan.ids[unit.block]!}" that is out of its turn`);
  }
  // A unit that had asked to run again has done so: what is recorded of it belongs to the next superstep.
  if (state.round.size > 0 && state.round.has(unitKey(unit))) endRound(folding, state.entries - 1);
  if (wave < state.furthest) state.ran.add(wave);
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
      if (pause.block === block && pause.item === item) close(folding, pause);
    }
  }
}

/** Nothing is expected of a pause any more. */
export function close({ state, dropped }: Folding, pause: PauseState): void {
  if (state.open.delete(pause.entry.pause)) {
    dropped.push(pause.entry.pause);
    pause.leftAt = state.entries - 1;
  }
  state.answered.delete(pause.entry.pause);
}

/** Notes the places in the journal that are checkpoints: after a wave, and where nothing but answers is missing. */
export function markCheckpoints(folding: Folding): void {
  const { state } = folding;
  if (state.fatal < 0) {
    while (state.wave < state.unsettled.length && state.unsettled[state.wave] === 0) {
      // After a revision a wave in which nothing ran again is passed.
      if (state.wave >= state.furthest || state.ran.delete(state.wave)) endRound(folding, state.entries);
      state.wave++;
      state.furthest = Math.max(state.furthest, state.wave);
    }
  }
  if (state.round.size > 0 && hasRoundEnded(state)) endRound(folding, state.entries);
  if (state.open.size === 0 || state.unsettled[state.wave] !== waitingIn(state)) return;
  for (const number of state.open) {
    const pause = state.pauses[number]!;
    if (pause.end > 0) continue;
    pause.end = state.entries;
    addCheckpoint(folding, "pause", number, state.entries);
  }
}

/** Whether all that could run has run once in this superstep, so that only what asked to run again is left. */
function hasRoundEnded(state: RunState): boolean {
  const { round, unsettled, wave, answered } = state;
  return answered.size === 0 && unsettled[wave]! - waitingIn(state) === round.size && unaskedCalls(state).length === 0;
}

/** A superstep ends after so many entries. */
function endRound(folding: Folding, entries: number): void {
  const { state } = folding;
  state.round.clear();
  // A run that fails goes on from where it stood before.
  if (state.fatal >= 0) return;
  addCheckpoint(folding, "wave", state.ends.length, entries);
  state.ends.push(entries);
}

function addCheckpoint({ state, checkpoints }: Folding, kind: CheckpointRow["kind"], number: number, entries: number): void {
  const { id, started, lastAt } = state;
  checkpoints.push({ run: id, workflow: started.workflow, kind, number, createdAt: started.at + lastAt, entries });
}
