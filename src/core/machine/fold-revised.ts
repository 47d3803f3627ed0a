import type { EffectedEntry, KeptEntry, ReenteredEntry, RevisedEntry, WithdrawnEntry } from "../model/journal.ts";
import { isRecord, type Values } from "../model/value.ts";
import { FAILED, PAUSED, PENDING, WAITING } from "./block-status.ts";
import type { Folding } from "./fold-context.ts";
import { standingOf } from "./given-inputs.ts";
import { settleItem } from "./items.ts";
import { isSettled } from "./dependencies.ts";
import { openBlocks, openDependents, openUnit, withdraw, withdrawAll } from "./open-units.ts";
import { reviveRun } from "./revive-run.ts";
import { codeOf, countWaiting, type PauseState, recordOf, type RunState, write } from "./state.ts";
import { close, corrupt, unitOf } from "./turns.ts";
import { unitKey, type Unit } from "./unit.ts";

/** An answer is changed, or its question is open again. */
export function foldRevised(folding: Folding, entry: RevisedEntry): void {
  const { state } = folding;
  beginRevision(folding);
  if (entry.cause !== undefined) state.cause = entry.cause;
  if (entry.block === undefined) reviseOwn(folding, entry);
  else reviseCalled(folding, entry);
  state.revisedAt = state.entries;
}

function beginRevision(folding: Folding): void {
  const { state } = folding;
  if (state.finished?.status === "failed") reviveRun(folding);
  else if (state.finished?.status === "cancelled") throw corrupt(state, "a revision after the run was cancelled");
  state.finished = undefined;
  state.outputs = undefined;
  state.revisions++;
}

function reviseOwn(folding: Folding, entry: RevisedEntry): void {
  const { state, compiled } = folding;
  const { pause: number = -1, as } = entry;
  const old = state.pauses[number];
  if (!old?.answer || old.withdrawn || old.entry.child !== undefined || old.entry.about !== undefined || as !== state.pauses.length) {
    throw corrupt(state, `a revision of pause ${number}, which has no answer to change`);
  }
  const unit: Unit = { block: old.block, ...(old.item === undefined ? {} : { item: old.item }) };
  const key = unitKey(unit);
  const place = standingOf(state, unit).indexOf(number);
  const before = recordOf(state, unit);
  const past = state.iterations.get(key)?.past ?? [];
  openDependents(folding, unit.block);
  withdrawAll(state, unit, place);
  const standing = state.asked.get(key) ?? [];
  openUnit(folding, unit);
  // What it did with the former answer is no candidate: it takes the new one.
  const candidate = state.candidates.get(key);
  if (candidate) state.candidates.set(key, { ...candidate, given: undefined });
  for (const earlier of standing) bringBack(state, earlier, { isOpen: false, isAnswered: false });
  state.asked.set(key, [...standing, as]);
  state.pauses.push(askedAgain(state, old, entry));
  old.supersededBy = as;
  // It asked in this execution, and goes on with what the one before carried over.
  if (old.again) state.iterations.set(key, { past: past.slice(0, old.again.count), carried: old.again.carried });
  if (hasReply(entry)) state.answered.add(as);
  else state.open.add(as);
  state.turns.set(key, state.revisions);
  // What it was given for this question holds on: it is that without the answers from here on.
  const given = before?.given
    ?.split(".")
    .slice(0, place + 1)
    .join(".");
  write(state, unit, PAUSED, { at: entry.at, ms: before?.ms ?? 0, ...(given === undefined ? {} : { given }) });
  const wave = compiled.plan.waveOf[unit.block]!;
  countWaiting(state, wave, 1);
  state.wave = Math.min(state.wave, wave);
}

function hasReply(entry: RevisedEntry): boolean {
  return entry.action !== undefined || Object.hasOwn(entry, "response");
}

/** The new asking of a question, with its new answer if there is one. */
function askedAgain(state: RunState, old: PauseState, entry: RevisedEntry): PauseState {
  const { more: _, until, earlier: __, ...asked } = old.entry;
  const { response, action, at } = entry;
  const former = old.answer!;
  const { supersededBy: ___, leftAt: ____, ...question } = old;
  const isShown = !former.action && former.by !== "timeout";
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
    closed: false,
    forgotten: false,
    isOver: false,
    refusal: undefined,
    end: 0,
    supersedes: old.entry.pause,
    rank: old.rank,
    withdrawn: false,
  };
}

/** The block whose called run asks looks how that stands, once the revision was passed on to it. */
function reviseCalled(folding: Folding, entry: RevisedEntry): void {
  const { state, compiled } = folding;
  const unit = unitOf(folding, { block: entry.block!, ...(entry.item === undefined ? {} : { item: entry.item }) });
  const key = unitKey(unit);
  if (!state.callers.has(key)) throw corrupt(state, `a revision of what block "${entry.block}" never called`);
  const { calls = [], inner = -1, response, action } = entry;
  const reply = hasReply(entry) ? { response: response ?? null, ...(action ? { action } : {}) } : {};
  openDependents(folding, unit.block);
  const { workflow } = state.callers.get(key)!;
  state.reopened.set(key, [...(state.reopened.get(key) ?? []), { cause: state.revisions, calls, inner, workflow, ...reply }]);
  const wave = compiled.plan.waveOf[unit.block]!;
  const pauses = state.asked.get(key) ?? [];
  // Its answer may have reached the called run without having been noted here.
  if (calls.length === 0)
    for (const number of pauses) if (state.pauses[number]!.entry.child === inner) close(folding, state.pauses[number]!);
  if (codeOf(state, unit) === PAUSED) {
    // Other questions of the called run stay as they are.
    const call = state.calls.get(key);
    if (call) state.calls.set(key, { ...call, answers: call.answers + 1 });
  } else {
    const standing = [...pauses];
    openUnit(folding, unit);
    for (const number of standing) bringBack(state, number, { isOpen: false, isAnswered: false });
    state.asked.set(key, standing);
    state.candidates.delete(key);
  }
  state.turns.set(key, state.revisions);
  state.wave = Math.min(state.wave, wave);
}

/** A question that was taken back counts again. */
function bringBack(state: RunState, number: number, { isOpen, isAnswered }: { isOpen: boolean; isAnswered: boolean }): void {
  const pause = state.pauses[number]!;
  pause.withdrawn = false;
  pause.closed = !isOpen && !isAnswered;
  if (isOpen) {
    delete pause.leftAt;
    // Its checkpoint is the last place where it was open.
    pause.end = 0;
    state.open.add(number);
  }
  if (isAnswered) state.answered.add(number);
}

/** Everything is due again, with other inputs. */
export function foldReentered(folding: Folding, entry: ReenteredEntry): void {
  const { state, compiled } = folding;
  beginRevision(folding);
  if (entry.cause !== undefined) state.entered = entry.cause;
  openBlocks(folding, [...compiled.plan.ids.keys()]);
  if (entry.inputs) state.started = { ...state.started, inputs: isRecord(entry.inputs) ? (entry.inputs as Values) : {} };
  state.revisedAt = state.entries;
}

/** What was recorded of units before holds again. */
export function foldKept(folding: Folding, { units, at }: KeptEntry): void {
  for (const named of units) keep(folding, unitOf(folding, named), at);
}

function keep(folding: Folding, unit: Unit, at: number): void {
  const { state, compiled } = folding;
  const key = unitKey(unit);
  const candidate = state.candidates.get(key);
  const wave = compiled.plan.waveOf[unit.block]!;
  if (!candidate?.given || codeOf(state, unit) !== PENDING || wave !== state.wave) {
    throw corrupt(state, `of block "${compiled.plan.ids[unit.block]!}" as kept, of which nothing can be`);
  }
  const { code, record, pauses, open, answered, call, sleeper, iterations, retries } = candidate;
  write(state, unit, code, record);
  for (const number of pauses) {
    bringBack(state, number, { isOpen: open.includes(number), isAnswered: answered.includes(number) });
  }
  state.asked.set(key, [...pauses]);
  if (call) state.calls.set(key, call);
  if (sleeper) state.sleepers.set(key, sleeper);
  if (iterations) state.iterations.set(key, iterations);
  if (retries !== undefined) state.retries.set(key, retries);
  state.candidates.delete(key);
  state.former.delete(key);
  if (code === PAUSED || code === WAITING) countWaiting(state, wave, 1);
  if (!isSettled(code)) return;
  state.unsettled[wave] = state.unsettled[wave]! - 1;
  if (unit.item !== undefined) settleItem(state, unit.block, at);
  if (state.blocks[unit.block] === FAILED && compiled.workflow.blocks[unit.block]!.continueOnError !== true) state.fatal = unit.block;
}

/** A revision was passed on to a called run, and these questions were taken back there. */
export function foldWithdrawn(folding: Folding, { pauses, ...named }: WithdrawnEntry): void {
  const { state } = folding;
  state.reopened.delete(unitKey(unitOf(folding, named)));
  for (const number of pauses) {
    if (state.pauses[number]?.entry.child === undefined) throw corrupt(state, `a withdrawal of pause ${number}, which no called run asks`);
    withdraw(state, number);
  }
}

/** What must not run twice was executed in the run that this one comes from. */
export function foldEffected(folding: Folding, { given, outputs, ...entry }: EffectedEntry): void {
  const { state } = folding;
  const block = folding.compiled.plan.index.get(entry.block);
  if (block === undefined) throw corrupt(state, `of an effect of block "${entry.block}", which the workflow does not have`);
  const key = unitKey({ block, item: entry.item });
  state.effects.set(key, { given, outputs: isRecord(outputs) ? (outputs as Values) : null });
}
