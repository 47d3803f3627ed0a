import type { EffectedEntry, ForkedEntry, KeptEntry, ReenteredEntry, RevisedEntry, WithdrawnEntry } from "../model/journal.ts";
import { type Values, valuesOf } from "../model/value.ts";
import { survivesFailure } from "../model/workflow.ts";
import { FAILED, isSettled, PAUSED, PENDING } from "./block-status.ts";
import { addedPart } from "./added-part.ts";
import { dependentsOf } from "./dependencies.ts";
import { corrupt, type Folding, unitOf } from "./folding.ts";
import { settleItem } from "./items.ts";
import { openBlocks, openDependents, openUnit } from "./open-units.ts";
import { askedOnceMore, askingsOf, bringBack, isUnanswered, standingOf, withdraw, withdrawAll } from "./fold-questions.ts";
import { reviveRun } from "./revive-run.ts";
import {
  askedInCalls,
  codeOf,
  iterationOfCall,
  type PauseState,
  recordOf,
  type RunState,
  standingCalls,
  startWaiting,
  write,
} from "./state.ts";
import { closePause } from "./admit-record.ts";
import { signalsBefore } from "./signals.ts";
import { changeUnit, type KnownEffect, noteCall, type UnitProgress, type UnitState } from "./unit-state.ts";
import { type Unit, unitName } from "./unit.ts";

/** Folds that an answer is changed, or its question is open again. */
export function foldRevised(folding: Folding, entry: RevisedEntry): void {
  const { state, compiled } = folding;
  beginRevision(folding);
  if (entry.cause !== undefined) state.cause = entry.cause;
  const unit = entry.block === undefined ? reviseOwn(folding, entry) : reviseCalled(folding, entry.block, entry);
  changeUnit(state, unit).turn = state.revisions;
  state.wave = Math.min(state.wave, compiled.plan.waveOf[unit.block]!);
  state.revisedAt = state.entries;
}

function beginRevision(folding: Folding): void {
  const { state } = folding;
  if (state.finished?.status === "failed") reviveRun(folding);
  else if (state.finished?.status === "cancelled") throw corrupt(state, "a revision after the run was cancelled");
  state.finished = undefined;
  state.revisions++;
}

/** Gives the unit that asked. */
function reviseOwn(folding: Folding, entry: RevisedEntry): Unit {
  const { state, compiled } = folding;
  const { pause: number = -1, as } = entry;
  const old = state.pauses[number];
  if (!old?.answer || old.withdrawn || old.entry.child !== undefined || old.entry.about !== undefined || as !== state.pauses.length) {
    throw corrupt(state, `a revision of pause ${number}`);
  }
  const { block, item } = old;
  const unit = { block, item };
  const own = changeUnit(state, unit);
  noteSuperseded(state, old.answer.place);
  const place = standingOf(state, unit).indexOf(number);
  const before = recordOf(state, unit);
  const { progress } = own;
  const signals = signalsBefore(progress, progress.asked.indexOf(number));
  openDependents(folding, block);
  withdrawAll(state, own, place);
  const earlier = own.progress.asked;
  openUnit(folding, unit);
  // Its outcome with the former answer is no candidate: it has to handle the new one.
  if (own.candidate) own.candidate = { ...own.candidate, given: undefined };
  for (const asking of earlier) bringBack(state, asking, false);
  own.progress = { ...own.progress, ...signals, asked: [...earlier, as] };
  keepIterations(folding, own, progress, old.again);
  state.pauses.push(askedAgain(state, old, entry));
  old.supersededBy = as;
  if (hasReply(entry)) state.answered.add(as);
  else state.open.add(as);
  // Its inputs when it asked still hold: they are what it was given without the answers from here on.
  const { given } = old.entry;
  write(state, unit, PAUSED, { at: entry.at, ms: before?.ms ?? 0, ...(given === undefined ? {} : { given }) });
  startWaiting(state, compiled.plan.waveOf[block]!, unit);
  return unit;
}

/** Takes a unit back to the execution in which it asked, with what the one before carried over. Changes of earlier executions stay, later ones go. */
function keepIterations(
  folding: Folding,
  { progress }: UnitState,
  { loop, deltas, files, added }: UnitProgress,
  again: PauseState["again"],
): void {
  const kept = again?.count ?? 0;
  if (again) progress.loop = { past: loop?.past.slice(0, kept) ?? [], carried: again.carried };
  progress.deltas = deltas?.slice(0, kept);
  progress.files = files?.filter(({ iteration }) => iteration < kept);
  if (!added) return;
  progress.added = added.filter(({ iteration }) => iteration < kept);
  addedPart.code().dropBlocks(
    folding,
    added.filter(({ iteration }) => iteration >= kept),
  );
}

function hasReply(entry: RevisedEntry): boolean {
  return entry.action !== undefined || Object.hasOwn(entry, "response");
}

/** The new asking of a question, with its new answer if there is one. */
function askedAgain(state: RunState, old: PauseState, entry: RevisedEntry): PauseState {
  const { more: _, until, earlier: __, ...asked } = old.entry;
  const { response, action, at } = entry;
  const former = old.answer!;
  const { supersededBy: ___, leftAt: ____, leftBy: _____, ...question } = old;
  const isShown = !former.action && !isUnanswered(former);
  return {
    ...question,
    entry: {
      ...asked,
      pause: entry.as!,
      at,
      ...(until === undefined ? {} : { until: at + until - old.entry.at }),
      ...(isShown ? { earlier: { response: former.response as Values, state: "ok" } } : {}),
    },
    answer: hasReply(entry) ? { response: response ?? null, action, at, place: state.entries - 1 } : undefined,
    forgotten: false,
    isOver: false,
    refusal: undefined,
    end: 0,
    supersedes: old.entry.pause,
    // If the new answer comes with it, it is not shown.
    asked: hasReply(entry) ? askingsOf(old) : askedOnceMore(old, at),
    rank: old.rank,
    withdrawn: false,
  };
}

/** Has the block whose called run asks read that run, once the revision is passed on to it. Gives its unit. */
function reviseCalled(folding: Folding, block: string, entry: RevisedEntry): Unit {
  const { state } = folding;
  const unit = unitOf(folding, { ...entry, block });
  const own = changeUnit(state, unit);
  const { calls = [], inner = -1, response, action } = entry;
  const reply = hasReply(entry) ? { response: response ?? null, ...(action ? { action } : {}) } : {};
  const { progress } = own;
  const { asked, call, loop } = progress;
  const isLast = entry.call === undefined;
  const workflow = isLast ? own.caller?.workflow : entry.call || undefined;
  const isOfCall = (pause: PauseState): boolean => pause.workflow === workflow;
  const ofCall = asked.map((number) => state.pauses[number]!).filter(isOfCall);
  if (!own.caller || folding.compiled.plan.waveOf[unit.block]! < 0 || (!isLast && !standingCalls(state, unit).includes(workflow)))
    throw corrupt(state, `a revision of what block "${block}" never called`);
  openDependents(folding, unit.block);
  own.reopened = [...(own.reopened ?? []), { cause: state.revisions, calls, inner, workflow, ...reply }];
  // A call that was kept after another revision asked nothing again.
  noteSuperseded(state, firstEndOf(state, ofCall.length > 0 ? ofCall : askedInCalls(state, unit).filter(isOfCall)));
  // Its answer may have reached the called run without having been noted here.
  if (calls.length === 0) for (const pause of ofCall) if (pause.entry.child === inner) closePause(folding, pause);
  if (codeOf(state, unit) === PAUSED && isLast) {
    // Other questions of the called run stay as they are.
    if (call) own.progress.call = { ...call, answers: call.answers + 1 };
    return unit;
  }
  const count = isLast ? loop?.past.length : iterationOfCall(workflow) - 1;
  const again = loop && count ? { count, carried: loop.carried } : undefined;
  openUnit(folding, unit);
  const kept = asked.filter((number) => (state.pauses[number]!.again?.count ?? 0) <= (again?.count ?? 0));
  for (const number of kept) bringBack(state, number, false);
  own.progress.asked = kept;
  keepIterations(folding, own, progress, again);
  noteCall(own, workflow);
  own.candidate = undefined;
  return unit;
}

/** Where the first question of a called run was answered or withdrawn here; its other answers came after that. */
function firstEndOf({ entries }: RunState, asked: readonly PauseState[]): number {
  return Math.min(entries, ...asked.map(({ answer, leftAt }) => answer?.place ?? leftAt ?? entries));
}

/** Folds that everything is due again with other inputs; or, in a fork that begins at a block, the named blocks. */
export function foldReentered(folding: Folding, entry: ReenteredEntry): void {
  const { state, compiled } = folding;
  beginRevision(folding);
  if (entry.cause !== undefined) state.entered = entry.cause;
  const { units } = entry;
  openBlocks(folding, units ? units.map((one) => unitOf(folding, one).block) : [...compiled.plan.ids.keys()]);
  if (units) addedPart.code().beginAt(folding, units, entry.channels);
  else {
    // All steps that these channels were folded from are due again.
    state.settledChannels.clear();
    noteSuperseded(state, 0);
  }
  if (entry.inputs) state.started = { ...state.started, inputs: valuesOf(entry.inputs) ?? {} };
  state.revisedAt = state.entries;
}

/** Folds that earlier records of units hold again. */
export function foldKept(folding: Folding, { units, at }: KeptEntry): void {
  for (const one of units) keep(folding, unitOf(folding, one), at);
}

function keep(folding: Folding, unit: Unit, at: number): void {
  const { state, compiled } = folding;
  const own = changeUnit(state, unit);
  const { candidate } = own;
  const wave = compiled.plan.waveOf[unit.block]!;
  if (!candidate?.given || codeOf(state, unit) !== PENDING || wave !== state.wave) {
    throw corrupt(state, `of block "${compiled.plan.ids[unit.block]!}" as kept`);
  }
  const { code, record, progress, live } = candidate;
  write(state, unit, code, record);
  for (const number of progress.asked) bringBack(state, number, live.includes(number));
  own.progress = progress;
  own.candidate = undefined;
  own.former = undefined;
  if (progress.added) addedPart.code().addBlocks(folding, unit, progress.added);
  if (!isSettled(code)) return startWaiting(state, wave, unit);
  state.unsettled[wave] = state.unsettled[wave]! - 1;
  if (unit.item !== undefined) settleItem(state, unit.block, at);
  if (state.blocks[unit.block] === FAILED && !survivesFailure(compiled.workflow.blocks[unit.block]!)) state.fatal = unit.block;
}

/** Folds that a revision was passed on to a called run, where it withdrew these questions. */
export function foldWithdrawn(folding: Folding, { pauses, ...of }: WithdrawnEntry): void {
  const { state } = folding;
  changeUnit(state, unitOf(folding, of)).reopened = undefined;
  for (const number of pauses) {
    if (state.pauses[number]?.entry.child === undefined) throw corrupt(state, `a withdrawal of pause ${number}`);
    withdraw(state, number);
  }
}

/**
 * Folds that the run is a fork from here on, and undoes only what it does itself. What its source has undone since is due again, with the blocks that
 * depend on it.
 */
export function foldForked(folding: Folding, { undone = [] }: ForkedEntry): void {
  const { state } = folding;
  state.done.forEach((one, i) => (state.done[i] = { ...one, before: undone.includes(one.block) ? "undone" : (one.before ?? "done") }));
  if (undone.length === 0) return;
  const blocks = new Set(undone.map((block) => unitOf(folding, { block }).block));
  beginRevision(folding);
  openBlocks(folding, [...new Set([...blocks].flatMap((block) => [block, ...dependentsOf(folding, block)]))]);
  for (const unit of state.units.values()) if (blocks.has(unit.block)) unit.candidate = unit.effect = unit.memos = undefined;
  state.revisedAt = state.entries;
}

/** Folds that the source of this fork executed something that must not run twice. */
export function foldEffected(folding: Folding, { block, item, given, outputs, next, unknown }: EffectedEntry): void {
  const { state, compiled } = folding;
  const number = compiled.plan.index.get(block);
  const known = number === undefined ? changeAhead(state, unitName(block, item)) : changeUnit(state, { block: number, item });
  if (unknown) known.begun = { pause: undefined, woken: undefined, given, isCleared: false };
  else known.effect = { given, outputs: valuesOf(outputs), next };
}

/** What is known of an execution whose block is yet to be added. */
function changeAhead(state: RunState, name: string): KnownEffect {
  const ahead = (state.effectsAhead ??= new Map());
  const known = ahead.get(name) ?? {};
  ahead.set(name, known);
  return known;
}

/**
 * Notes the range of the journal that the revision being folded takes back: its states hold something that is changed now. Adjacent ranges are joined, so
 * that there are never more of them than questions.
 */
export function noteSuperseded(state: RunState, from: number): void {
  const upTo = state.entries - 1;
  const stretches = (state.superseded ??= []);
  let after = Math.min(from, upTo);
  while ((stretches.at(-1)?.[1] ?? -1) >= after) after = Math.min(after, stretches.pop()![0]);
  stretches.push([after, upTo]);
}

/** Whether the state after so many entries holds something that a revision changed since. */
export function isSuperseded({ superseded = [] }: Pick<RunState, "superseded">, entries: number): boolean {
  return superseded.some(([after, upTo]) => entries > after && entries <= upTo);
}
