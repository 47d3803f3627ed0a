import type { AnsweredEntry, PausedEntry, ReopenedEntry } from "../model/journal.ts";
import type { AskedAgain } from "../model/run.ts";
import { isRecord } from "../model/value.ts";
import { PAUSED } from "./block-status.ts";
import { corrupt, type Folding, listed } from "./folding.ts";
import { codeOf, put, recordOf, type PauseAnswer, type PauseState, type RunState, startWaiting } from "./state.ts";
import { admitRecord } from "./admit-record.ts";
import { takeSignal } from "./signals.ts";
import { changeUnit, type OpenCall, unitState, type UnitState } from "./unit-state.ts";
import type { Unit } from "./unit.ts";

/** The askings of a unit that count and are its own, in their order. */
export function standingOf(state: RunState, unit: Unit): readonly number[] {
  return unitState(state, unit).progress.asked.filter((number) => {
    const { entry, answer } = state.pauses[number]!;
    return entry.about === undefined && (answer !== undefined || state.open.has(number));
  });
}

/** A question that was just asked. */
export function newPause(unit: Unit, entry: PausedEntry): PauseState {
  return {
    block: unit.block,
    item: unit.item,
    entry,
    metadata: isRecord(entry.metadata) ? entry.metadata : {},
    answer: undefined,
    forgotten: false,
    isOver: false,
    refusal: undefined,
    end: 0,
    supersedes: undefined,
    rank: 0,
    withdrawn: false,
    ...(entry.again && { asked: entry.again }),
  };
}

/** How often a question was asked. */
export function askingsOf({ asked, entry: { at } }: PauseState): AskedAgain {
  return asked ?? { times: 1, firstAt: at, lastAt: at };
}

/** The same, with this time counted. */
export function askedOnceMore(pause: PauseState, at: number): AskedAgain {
  const { times, firstAt } = askingsOf(pause);
  return { times: times + 1, firstAt, lastAt: at };
}

/** Folds that a block asks. Throws `RUN_CORRUPT`. */
export function ask(folding: Folding, unit: Unit, entry: PausedEntry): void {
  const { state, compiled } = folding;
  assertNext(state, entry);
  // Several questions of a called run may be open. Any other block asks again only after it has handled its last answer.
  if (entry.child === undefined || codeOf(state, unit) !== PAUSED) {
    admitRecord(folding, unit, "a question");
    startWaiting(state, compiled.plan.waveOf[unit.block]!, unit);
  }
  const own = changeUnit(state, unit);
  const { progress, caller, former } = own;
  const { loop } = progress;
  if (entry.child !== undefined) noteCall(own, { pause: entry.pause, answers: 0 });
  own.reopened = undefined;
  const supersedes = (entry.child ?? entry.about) === undefined ? former?.[standingOf(state, unit).length] : undefined;
  state.pauses.push({
    ...newPause(unit, entry),
    supersedes,
    ...(entry.child === undefined ? {} : { workflow: caller?.workflow }),
    ...(loop ? { again: { count: loop.past.length, carried: loop.carried } } : {}),
  });
  if (supersedes !== undefined) {
    const before = state.pauses[supersedes]!;
    before.supersededBy = entry.pause;
    state.pauses[entry.pause]!.asked = askedOnceMore(before, entry.at);
  }
  progress.asked = [...progress.asked, entry.pause];
  state.open.add(entry.pause);
}

/** Throws `RUN_CORRUPT` for a question that does not have the next number. */
export function assertNext(state: RunState, entry: PausedEntry): void {
  if (entry.pause !== state.pauses.length) throw corrupt(state, `a question of block "${entry.block}" that is out of its turn`);
}

/** Folds an answer. Throws `RUN_CORRUPT`. */
export function answer(folding: Folding, entry: AnsweredEntry): void {
  const { state } = folding;
  const pause = state.pauses[entry.pause];
  if (!pause || !state.open.delete(entry.pause)) throw corrupt(state, `an answer to pause ${entry.pause}, which is not open`);
  const { response, action, by, at } = entry;
  if (entry.signal !== undefined) takeSignal(state, pause, entry.signal);
  pause.answer = { response, action, by, at, place: state.entries - 1 };
  // A changed or confirmed answer keeps its place in the order of questions, for going back.
  pause.rank = pause.supersedes === undefined ? state.entries - 1 : state.pauses[pause.supersedes]!.rank || state.entries - 1;
  pause.refusal = undefined;
  // It was shown to no one.
  if (by === "earlier" && pause.supersedes !== undefined) pause.asked = askingsOf(state.pauses[pause.supersedes]!);
  pause.isOver = isUnanswered(pause.answer);
  // Drafts belong to the question, whichever asking they were typed for; those before one that was answered went with that.
  for (let asking: number | undefined = entry.pause; asking !== undefined; asking = askedBefore(state, asking)) {
    folding.dropped = listed(folding.dropped, asking);
  }
  // The called run has the answer to its question; here it only has to be read again.
  if (pause.entry.child === undefined) state.answered.add(entry.pause);
  else noteCall(changeUnit(state, pause), { pause: entry.pause, answers: 1 });
  if (pause.entry.about && !action) clear(changeUnit(state, pause), pause);
}

/** Whether no one answered: the time was up, or an event ended the question. */
export function isUnanswered({ by }: Pick<PauseAnswer, "by">): boolean {
  return by === "timeout" || by === "event";
}

/** Folds that an event ends the question of a unit, without an answer. */
export function noteEnded({ open, pauses }: RunState, { block, item }: Unit, event: string): void {
  for (const number of open) {
    const pause = pauses[number]!;
    if (pause.block === block && pause.item === item) pause.leftBy = event;
  }
}

/** The earlier asking that this one replaced, if it was not answered. */
function askedBefore({ pauses }: RunState, asking: number): number | undefined {
  const { supersedes } = pauses[asking]!;
  return supersedes === undefined || pauses[supersedes]!.answer ? undefined : supersedes;
}

function noteCall({ progress }: UnitState, { pause, answers }: OpenCall): void {
  progress.call = { pause, answers: (progress.call?.answers ?? 0) + answers };
}

/** Folds what a person said of an execution that must not happen twice: it is done, it failed, or it may happen again with the current inputs. */
function clear(unit: UnitState, { entry, answer }: PauseState): void {
  const outcome = isRecord(answer?.response) ? answer.response["outcome"] : undefined;
  if (entry.about === "repetition" && outcome === "again") unit.effect = undefined;
  if (unit.begun) unit.begun = { ...unit.begun, isCleared: true };
}

/** Folds that the block refused an answer that fitted the schema: the question is open again. Throws `RUN_CORRUPT`. */
export function reopen(folding: Folding, entry: ReopenedEntry): void {
  const { state, compiled } = folding;
  const { pause: number } = entry;
  const pause = state.pauses[number];
  const own = pause && changeUnit(state, pause);
  const isLooked = own && (own.progress.sleeper?.pause === number || own.begun?.pause === number);
  if (!pause?.answer || pause.withdrawn || !(state.answered.has(number) || isLooked)) {
    throw corrupt(state, `a refusal of pause ${number}`);
  }
  if (!state.answered.delete(number)) {
    // The block had failed or waited with this answer, and has now refused it.
    admitRecord(folding, pause, "a refusal");
    startWaiting(state, compiled.plan.waveOf[pause.block]!, pause);
    put(state, pause, PAUSED, { at: entry.at, ms: recordOf(state, pause)?.ms ?? 0 });
  }
  own!.begun = undefined;
  pause.answer = undefined;
  pause.refusal = entry.error;
  pause.asked = askedOnceMore(pause, entry.at);
  state.open.add(number);
}

/** Withdraws the questions of a unit, from a place in their order on, and remembers which they were. */
export function withdrawAll(state: RunState, unit: UnitState, from = 0): void {
  const { asked } = unit.progress;
  if (asked.length === 0) return;
  const standing = standingOf(state, unit);
  const former = [...(unit.former ?? [])];
  for (let place = from; place < standing.length; place++) former[place] = standing[place];
  const kept = standing.slice(0, from);
  for (const number of asked) if (!kept.includes(number)) withdraw(state, number);
  unit.former = Array.from(former);
  unit.progress = { ...unit.progress, asked: kept };
}

/** Withdraws a question: it waits for no answer, and keeps the one that it had. */
export function withdraw(state: RunState, number: number): void {
  const pause = state.pauses[number]!;
  pause.withdrawn = true;
  if (state.open.delete(number)) pause.leftAt = state.entries - 1;
  state.answered.delete(number);
}

/** Makes a withdrawn question count again. */
export function bringBack(state: RunState, number: number, isLive: boolean): void {
  const pause = state.pauses[number]!;
  pause.withdrawn = false;
  if (!isLive) return;
  if (pause.answer) {
    state.answered.add(number);
    return;
  }
  delete pause.leftAt;
  delete pause.leftBy;
  // Its checkpoint is the last place where it was open.
  pause.end = 0;
  state.open.add(number);
}
