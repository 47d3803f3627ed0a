import { addedPart } from "./added-part.ts";
import { survivesFailure } from "../model/workflow.ts";
import { FAILED, isSettled, OPENED, PAUSED, PENDING, SKIPPED_BLOCK, STOPPED } from "./block-status.ts";
import { forgetInputs } from "./context.ts";
import { areSettled, dependentsOf } from "./dependencies.ts";
import type { Folding } from "./folding.ts";
import { givenOf, inputsGiven, noteGiven } from "./given-inputs.ts";
import { inputsOfGiven } from "./memos.ts";
import { withdrawAll } from "./fold-questions.ts";
import { codeOf, recordOf, type RunState, stopWaiting, write } from "./state.ts";
import type { StepRecord } from "./step-records.ts";
import { type Candidate, changeUnit, noteChange, type UnitProgress, unitState } from "./unit-state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** Opens all blocks whose outcome may change with that of a block. */
export function openDependents(folding: Folding, block: number): void {
  openBlocks(folding, [...dependentsOf(folding, block)]);
}

/**
 * Opens blocks for the last revision: they are due again, and their last records stay as candidates. The run goes back to the first of their waves.
 */
export function openBlocks(folding: Folding, opened: readonly number[]): void {
  const { state, compiled } = folding;
  // What is no part of the plan is not due.
  const blocks = opened.filter((block) => compiled.plan.waveOf[block]! >= 0);
  if (blocks.length === 0) return;
  // What may be executing now is found out before anything changes.
  for (const block of blocks) noteFlight(folding, block);
  const added = state.added && addedPart.code();
  const fallen = added && blocks.flatMap((block) => added.additionsOf(folding, block));
  for (const block of blocks) {
    if (state.blocks[block] === OPENED || state.items.has(block)) openItemsOf(folding, block);
    else openUnit(folding, { block });
    // Also for a block of a later wave: a process may have executed it, and died before it stored that the run had come so far.
    changeUnit(state, { block }).turn = state.revisions;
    state.wave = Math.min(state.wave, compiled.plan.waveOf[block]!);
  }
  if (fallen) added.dropBlocks(folding, fallen);
  forgetInputs(state);
  refindFatal(folding);
}

/**
 * Takes a unit back to before it began, with its last record as candidate. Its questions are withdrawn; they count again if the candidate is kept.
 */
export function openUnit({ state, compiled }: Folding, unit: Unit): void {
  const code = codeOf(state, unit);
  // What is pending may have run before, and asked to run again.
  if (code === PENDING && !unitState(state, unit).progress.loop) return;
  const own = changeUnit(state, unit);
  const { candidate, progress } = own;
  const wave = compiled.plan.waveOf[unit.block]!;
  // It had no outcome since: its next one has nothing to be compared with, and counts as changed.
  if (candidate && isSettled(candidate.code) && !isSettled(code)) noteChange(state, unit);
  if (!isLeftOut(code, recordOf(state, unit))) own.candidate = candidateOf(state, unit, progress);
  if (isSettled(code)) countUnsettled(state, unit, wave);
  else stopWaiting(state, wave, unit);
  withdrawAll(state, own);
  own.progress = { asked: [] };
  state.round.delete(unitKey(unit));
  write(state, unit, PENDING);
}

/** Whether a block was skipped because of its dependencies: that says nothing about its outcome when it ran. */
function isLeftOut(code: number, record: StepRecord | undefined): boolean {
  return code === SKIPPED_BLOCK && !["left-out", "timeout", "event"].includes(record?.skipped?.kind ?? "");
}

function candidateOf(state: RunState, unit: Unit, progress: UnitProgress): Candidate {
  const { open, answered } = state;
  const code = codeOf(state, unit);
  const record = recordOf(state, unit);
  const live = progress.asked.filter((number) => open.has(number) || answered.has(number));
  const given = progress.loop && record?.given !== undefined ? progress.loop.past[0]!.given : record?.given;
  return { code, record, given: code === STOPPED ? undefined : given, progress, live };
}

function openItemsOf(folding: Folding, block: number): void {
  const { state, compiled } = folding;
  const items = state.items.get(block)!;
  const wave = compiled.plan.waveOf[block]!;
  items.keys.forEach((_, item) => openUnit(folding, { block, item }));
  // All items are pending now, and go; the block itself is what is left.
  state.unsettled[wave] = state.unsettled[wave]! - items.keys.length + 1;
  state.items.delete(block);
  changeUnit(state, { block }).formerItems = items;
  write(state, { block }, PENDING);
}

/** One unit more is unsettled; where it is an item of a block that had settled, so is the block. */
function countUnsettled(state: RunState, { block, item }: Unit, wave: number): void {
  state.unsettled[wave] = state.unsettled[wave]! + 1;
  if (item === undefined) return;
  state.items.get(block)!.left++;
  if (state.blocks[block] !== OPENED) write(state, { block }, OPENED, { at: state.lastAt, ms: 0 });
}

/**
 * Notes that a unit that may be executing got its current inputs: its record may be older than what it did last. Drops its candidate if that had other
 * inputs.
 */
function noteFlight(folding: Folding, block: number): void {
  const { state } = folding;
  const items = state.items.get(block);
  const units: readonly Unit[] = items ? items.keys.map((_, item) => ({ block, item })) : [{ block }];
  for (const unit of units) {
    const code = codeOf(state, unit);
    const { candidate, progress } = unitState(state, unit);
    const isResumed = code === PAUSED && progress.asked.some((number) => state.answered.has(number));
    const isNew = code === PENDING && isReached(folding, block);
    if (!isResumed && !isNew) continue;
    const inputs = inputsGiven(folding, unit);
    // It is about to be kept, and does not execute.
    if (isNew && candidate?.given !== undefined && inputs === inputsOfGiven(candidate.given)) continue;
    const given = givenOf(folding, unit);
    if (given !== undefined) noteGiven(state, unit, given);
    if (isNew && candidate) changeUnit(state, unit).candidate = { ...candidate, given: undefined };
  }
}

/** Whether everything a block depends on has settled, in a wave that the run has reached. */
function isReached({ state, compiled: { plan } }: Folding, block: number): boolean {
  return plan.waveOf[block]! <= state.wave || areSettled({ state, compiled: { plan } }, block);
}

/** Picks the failure to report: the first in the definition among blocks that no revision has opened. */
function refindFatal({ state, compiled }: Folding): void {
  if (state.fatal < 0) return;
  state.fatal = -1;
  for (const block of compiled.plan.waves[state.wave] ?? []) {
    if (state.blocks[block] !== FAILED || survivesFailure(compiled.workflow.blocks[block]!)) continue;
    state.fatal = block;
    return;
  }
}
