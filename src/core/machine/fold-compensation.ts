import type { CompensatingEntry } from "../model/journal.ts";
import type { Values } from "../model/value.ts";
import { closePause } from "./admit-record.ts";
import { FAILED, PENDING, STOPPED } from "./block-status.ts";
import { channelCode } from "./channel-scope.ts";
import { corrupt, type Folding } from "./folding.ts";
import { recordOf, type RunReading, type Undoing, waitingUnits, write } from "./state.ts";
import { changeUnit } from "./unit-state.ts";

/** Notes an execution that another block can undo. One that a revision has replaced counts too: it happened. */
export function noteDone({ compiled, state }: RunReading, block: number, outputs: Values | null): void {
  const { compensations, ids } = compiled.plan;
  if (compensations.has(block)) state.done.push({ block: ids[block]!, outputs });
}

/** The executions that a failed or cancelled run has to undo, the first one first. Nothing once it has begun to. */
export function owedBy({ compiled, state }: RunReading): readonly Undoing[] {
  if (state.compensation) return [];
  const { index, compensations } = compiled.plan;
  return state.done.flatMap(({ block: id, outputs, before }): readonly Undoing[] => {
    if (before) return [];
    const of = index.get(id) ?? -1;
    const block = compensations.get(of);
    return block === undefined ? [] : [{ block, of, outputs }];
  });
}

/** Folds that the run begins to undo what it did, and ends after that. Nothing else of it continues. */
export function beginCompensation(folding: Folding, { status, error, at }: CompensatingEntry): void {
  const { state } = folding;
  const left = [...owedBy(folding)];
  if (left.length === 0) throw corrupt(state, "a compensation of nothing");
  for (const number of [...state.open, ...state.answered]) closePause(folding, state.pauses[number]!);
  for (const unit of waitingUnits(state)) write(state, unit, STOPPED, recordOf(state, unit));
  channelCode(folding)?.settleChannels(folding);
  state.waiting.clear();
  state.round.clear();
  state.suspension = undefined;
  state.fatal = -1;
  state.wave = -1;
  state.compensation = { status, error, at, left, failed: [] };
}

/** Folds that a block has undone an execution, or failed to. It is due again for another execution of the same block. */
export function noteUndone(folding: Folding, block: number, at: number): void {
  const { state, compiled } = folding;
  channelCode(folding)?.settleWrites(folding, { block });
  const { left, failed } = state.compensation!;
  const { of } = left.pop()!;
  const id = compiled.plan.ids[block]!;
  if (state.blocks[block] === FAILED && !failed.includes(id)) failed.push(id);
  // An undone execution does not count: a fork from before it executes it.
  const isUndone = !failed.includes(id) && !left.some((undoing) => undoing.of === of);
  if (isUndone) for (const unit of state.units.values()) if (unit.block === of) unit.effect = undefined;
  if (!left.some((undoing) => undoing.block === block)) return;
  const own = changeUnit(state, { block });
  const record = state.records.get(block)!;
  const { loop, signals } = own.progress;
  own.progress = { asked: [], loop: { past: [...(loop?.past ?? []), record], carried: undefined }, ...(signals && { signals }) };
  own.candidate = undefined;
  own.begun = undefined;
  own.effect = undefined;
  own.memos = undefined;
  write(state, { block }, PENDING, { at, ms: record.ms });
}
