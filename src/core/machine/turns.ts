import { WorkflowError } from "../model/errors.ts";
import { PAUSED, PENDING, WAITING } from "./block-status.ts";
import { endRound } from "./mark-checkpoints.ts";
import type { Folding } from "./fold-context.ts";
import { areSettled } from "./dependencies.ts";
import { codeOf, countWaiting, type PauseState, type RunState } from "./state.ts";
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
  countWaiting(state, wave, -1);
  if (before === PAUSED) closePauses(folding, unit);
  else state.sleepers.delete(unitKey(unit));
  state.calls.delete(unitKey(unit));
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
  pause.closed = true;
  if (state.open.delete(pause.entry.pause)) {
    dropped.push(pause.entry.pause);
    pause.leftAt = state.entries - 1;
  }
  state.answered.delete(pause.entry.pause);
}

/** The unit an entry is about. Throws `RUN_CORRUPT`. */
export function unitOf(folding: Folding, entry: { readonly block: string; readonly item?: number }): Unit {
  const { state } = folding;
  const block = blockIndex(folding, entry.block);
  const { item } = entry;
  if (item === undefined) return { block };
  const items = state.items.get(block);
  if (!items || items.codes[item] === undefined)
    throw corrupt(state, `about item ${item} of block "${entry.block}", which it does not have`);
  return { block, item };
}

/** The number of a block. Throws `RUN_CORRUPT`. */
export function blockIndex({ state, compiled }: Folding, id: string): number {
  const index = compiled.plan.index.get(id);
  if (index === undefined) throw corrupt(state, `a record of block "${id}", which the workflow does not have`);
  return index;
}

export function corrupt(state: RunState, what: string): WorkflowError {
  return new WorkflowError(
    "RUN_CORRUPT",
    `The journal of run ${state.id} is damaged: entry ${state.entries} is ${what}. The run was left as it is; other runs are not touched.`,
    { details: { run: state.id, entry: state.entries } },
  );
}
