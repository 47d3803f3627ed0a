import { FAILED, OPENED, PAUSED, PENDING, SKIPPED_BLOCK, STOPPED, WAITING } from "./block-status.ts";
import { forgetInputs } from "./context.ts";
import { areSettled, dependentsOf, isSettled } from "./dependencies.ts";
import type { Folding } from "./fold-context.ts";
import { givenOf, inputsOfGiven, inputsGiven, standingOf } from "./given-inputs.ts";
import { codeOf, countWaiting, recordOf, write, type Candidate, type RunState } from "./state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** Opens all blocks whose outcome may be another where that of a block is. */
export function openDependents(folding: Folding, block: number): void {
  openBlocks(folding, [...dependentsOf(folding.compiled, block)]);
}

/**
 * These blocks are due again. What was recorded of them last stays a candidate; the run goes back to the first of their waves. The last revision is the
 * one that opens them.
 */
export function openBlocks(folding: Folding, blocks: readonly number[]): void {
  const { state, compiled } = folding;
  // What may be executing now is found out before anything changes.
  for (const block of blocks) noteFlight(folding, block);
  for (const block of blocks) {
    if (state.blocks[block] === OPENED || state.items.has(block)) openItemsOf(folding, block);
    else openUnit(folding, { block });
    // Of a block beyond the wave, too: a process may have executed it, and died before it stored that the run had come so far.
    state.turns.set(block, state.revisions);
    state.wave = Math.min(state.wave, compiled.plan.waveOf[block]!);
  }
  forgetInputs(state);
  refindFatal(folding);
}

/**
 * Takes a unit back to where nothing of it has happened, with what was recorded last as its candidate. Its questions are taken back; they count again
 * where the candidate does.
 */
export function openUnit(folding: Folding, unit: Unit): void {
  const { state, compiled } = folding;
  const key = unitKey(unit);
  const code = codeOf(state, unit);
  // What is pending may have run before, and asked to run again.
  if (code === PENDING && !state.iterations.has(key)) return;
  const wave = compiled.plan.waveOf[unit.block]!;
  const before = state.candidates.get(key);
  // It came to nothing since: what it gives next will have nothing to be compared with, and counts as something else.
  if (before && isSettled(before.code) && !isSettled(code)) state.changed.set(unit.block, state.entries);
  const candidate = candidateOf(state, unit);
  if (candidate) state.candidates.set(key, candidate);
  else state.candidates.delete(key);
  if (isSettled(code)) countUnsettled(state, unit, wave);
  else if (code === PAUSED || code === WAITING) countWaiting(state, wave, -1);
  withdrawAll(state, unit);
  for (const map of [state.sleepers, state.iterations, state.retries, state.recoveries, state.calls]) map.delete(key);
  state.round.delete(key);
  state.reviving.delete(key);
  write(state, unit, PENDING);
}

function openItemsOf(folding: Folding, block: number): void {
  const { state, compiled } = folding;
  const items = state.items.get(block)!;
  const wave = compiled.plan.waveOf[block]!;
  items.keys.forEach((_, item) => openUnit(folding, { block, item }));
  // All items are pending now, and go; the block itself is what is left.
  state.unsettled[wave] = state.unsettled[wave]! - items.keys.length + 1;
  state.items.delete(block);
  state.formerItems.set(block, items);
  write(state, { block }, PENDING);
}

/** One unit more is unsettled; where it is an item of a block that had settled, so is the block. */
function countUnsettled(state: RunState, { block, item }: Unit, wave: number): void {
  state.unsettled[wave] = state.unsettled[wave]! + 1;
  if (item === undefined) return;
  state.items.get(block)!.left++;
  if (state.blocks[block] !== OPENED) write(state, { block }, OPENED, { at: state.lastAt, ms: 0 });
}

/** What may hold again of a unit; nothing where it failed, was stopped, or its condition did not hold. */
function candidateOf(state: RunState, unit: Unit): Candidate | undefined {
  const key = unitKey(unit);
  const code = codeOf(state, unit);
  const record = recordOf(state, unit);
  const pauses = state.asked.get(key) ?? [];
  if (code === SKIPPED_BLOCK && record?.skipped?.kind !== "left-out" && record?.skipped?.kind !== "timeout") {
    return state.candidates.get(key);
  }
  return {
    code,
    record,
    given: code === STOPPED ? undefined : record?.given,
    pauses,
    open: pauses.filter((number) => state.open.has(number)),
    answered: pauses.filter((number) => state.answered.has(number)),
    call: state.calls.get(key),
    sleeper: state.sleepers.get(key),
    iterations: state.iterations.get(key),
    retries: state.retries.get(key),
  };
}

/** Takes the questions of a unit back, from a place in their order on, and remembers which they were. */
export function withdrawAll(state: RunState, unit: Unit, from = 0): void {
  const key = unitKey(unit);
  const numbers = state.asked.get(key);
  if (!numbers) return;
  const standing = standingOf(state, unit);
  const former = [...(state.former.get(key) ?? [])];
  standing.forEach((number, place) => {
    if (place >= from) former[place] = number;
  });
  state.former.set(key, Array.from(former));
  const kept = new Set(standing.slice(0, from));
  for (const number of numbers) if (!kept.has(number)) withdraw(state, number);
  state.asked.set(
    key,
    numbers.filter((number) => kept.has(number)),
  );
}

/** A question is taken back: it waits for no answer, and keeps the one it had. */
export function withdraw(state: RunState, number: number): void {
  const pause = state.pauses[number]!;
  pause.withdrawn = true;
  pause.closed = true;
  if (state.open.delete(number)) pause.leftAt = state.entries - 1;
  state.answered.delete(number);
}

/**
 * A unit that may be executing has been given what it is given now: what is recorded of it before may be older than what it did last. Its
 * candidate goes where that was given something else.
 */
function noteFlight(folding: Folding, block: number): void {
  const { state } = folding;
  const items = state.items.get(block);
  const units: readonly Unit[] = items ? items.keys.map((_, item) => ({ block, item })) : [{ block }];
  for (const unit of units) {
    const code = codeOf(state, unit);
    const key = unitKey(unit);
    const isResumed = code === PAUSED && (state.asked.get(key) ?? []).some((number) => state.answered.has(number));
    const isNew = code === PENDING && isReached(folding, block);
    if (!isResumed && !isNew) continue;
    const candidate = state.candidates.get(key);
    const inputs = inputsGiven(folding, unit);
    // It is about to be kept, and does not execute.
    if (isNew && candidate?.given !== undefined && inputs === inputsOfGiven(candidate.given)) continue;
    const given = givenOf(folding, unit);
    if (given !== undefined) noteGiven(state, unit, given);
    if (isNew && candidate) state.candidates.set(key, { ...candidate, given: undefined });
  }
}

/** Whether everything a block depends on has settled, in a wave that the run has reached. */
function isReached({ state, compiled: { plan } }: Folding, block: number): boolean {
  return plan.waveOf[block]! <= state.wave || areSettled({ state, compiled: { plan } }, block);
}

/** Notes what a unit was given in an execution: where that is something else than before, its idempotency key is another. */
export function noteGiven(state: RunState, unit: Unit, given: string): void {
  const key = unitKey(unit);
  const before = state.keys.get(key);
  if (before?.given !== given) state.keys.set(key, { given, k: before ? before.k + (isLonger(given, before.given) ? 0 : 1) : 0 });
}

/** Whether it is noted that this is what a unit was given last. */
export function isNoted({ keys }: RunState, unit: Unit, given: string): boolean {
  return keys.get(unitKey(unit))?.given === given;
}

/** The number in the idempotency key of a unit that is given this. */
export function keyNumber({ keys }: RunState, unit: Unit, given: string | undefined): number {
  const before = keys.get(unitKey(unit));
  if (!before || given === undefined || before.given === given || isLonger(given, before.given)) return before?.k ?? 0;
  return before.k + 1;
}

/** Whether it is the same with one more answer: the execution goes on. */
function isLonger(given: string, before: string): boolean {
  return given.startsWith(`${before}.`);
}

/** Of several failures the first in the definition is reported; one that a revision opened is none. */
function refindFatal({ state, compiled }: Folding): void {
  if (state.fatal < 0) return;
  state.fatal = -1;
  for (const block of compiled.plan.waves[state.wave] ?? []) {
    if (state.blocks[block] !== FAILED || compiled.workflow.blocks[block]!.continueOnError === true) continue;
    state.fatal = block;
    return;
  }
}
