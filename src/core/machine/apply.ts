import type {
  AnsweredEntry,
  AssumedEntry,
  CompletedEntry,
  Entry,
  FailedEntry,
  FinishedEntry,
  PausedEntry,
  SkippedEntry,
} from "../model/journal.ts";
import { isRecord, type Values } from "../model/value.ts";
import { COMPLETED, FAILED, PAUSED, PENDING, SKIPPED_BLOCK, WAITING } from "./block-status.ts";
import { noteEnd } from "./fold-began.ts";
import { foldOther } from "./fold-other.ts";
import { foldStale, isStale, noteEffect } from "./fold-stale.ts";
import { standingOf } from "./given-inputs.ts";
import { settleItem } from "./items.ts";
import { noteGiven } from "./open-units.ts";
import { sameValue } from "./same-value.ts";
import type { Applied, Folding } from "./fold-context.ts";
import { markCheckpoints } from "./mark-checkpoints.ts";
import { definitionOf, type RunPlan } from "./run-plan.ts";
import { type Candidate, codeOf, countWaiting, newPause, put, type OpenCall, type RunState } from "./state.ts";
import type { StepRecord } from "./step-records.ts";
import { corrupt, takeTurn, unitOf } from "./turns.ts";
import { unitKey, type Unit } from "./unit.ts";

export type { Applied } from "./fold-context.ts";

/** What may follow the end of a run. */
const AFTER_END: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "forgotten",
  "resumed",
  "revised",
  "reentered",
  "transferred",
  "arrived",
]);

/**
 * Folds one more entry into the state of a run, and gives what it brings about besides. Deterministic: no clock, no chance, no store; the same
 * entries always give the same state. A definition to which an entry moves the run must be in the plan.
 * Values in the entry must be decoded. Throws `RUN_CORRUPT` for an entry that cannot follow what came before, so that no state is ever
 * built on a journal with a hole, a repetition or a step before its dependencies.
 */
export function apply(plan: RunPlan, state: RunState, entry: Entry): Applied {
  if (state.finished && !AFTER_END.has(entry.type)) throw corrupt(state, `an entry "${entry.type}" after the end`);
  if (state.transferredTo !== undefined && entry.type !== "arrived") {
    throw corrupt(state, `an entry "${entry.type}" after the run was handed over`);
  }
  const folding: Folding = { plan, compiled: definitionOf(plan, state), state, checkpoints: [], dropped: [] };
  state.entries++;
  if (entry.type !== "started") state.lastAt = entry.at;
  if (isStale(folding, entry)) {
    foldStale(folding, entry);
    return folding;
  }
  switch (entry.type) {
    case "completed":
    case "failed":
    case "skipped":
    case "assumed":
      settle(folding, entry);
      break;
    case "paused":
      ask(folding, entry);
      break;
    case "answered":
      answer(folding, entry);
      break;
    case "finished":
      finish(folding, entry);
      break;
    default:
      foldOther(folding, entry);
  }
  noteCalled(folding, entry);
  if (state.begun.size + state.effects.size > 0) noteEnd(folding, entry);
  if (entry.type !== "paused" || !entry.more) markCheckpoints(folding);
  return folding;
}

/** How far a called run had come when an entry was made about it. */
function noteCalled(folding: Folding, entry: Entry): void {
  const { childEntries } = entry as { readonly childEntries?: number };
  if (childEntries !== undefined) folding.state.children.set(unitKey(unitOf(folding, entry as PausedEntry)), childEntries);
}

/** Whether an entry takes room for good: what a block carries over to its next execution is replaced by that one, and a base counts its own. */
export function holdsValues({ type }: Entry): boolean {
  return type !== "iterated" && type !== "base";
}

type Settling = CompletedEntry | FailedEntry | SkippedEntry | AssumedEntry;

const CODES = { completed: COMPLETED, assumed: COMPLETED, skipped: SKIPPED_BLOCK, failed: FAILED } as const;

function settle(folding: Folding, entry: Settling): void {
  const { state, compiled } = folding;
  const unit = unitOf(folding, entry);
  const { block, item } = unit;
  const wave = compiled.plan.waveOf[block]!;
  takeTurn(folding, unit, "a record");
  const code = CODES[entry.type];
  const record = stepRecord(entry, state.retries.get(unitKey(unit)));
  if (entry.type !== "assumed" && entry.given !== undefined) noteGiven(state, unit, entry.given);
  if (entry.type === "completed") noteEffect(state, unit, entry);
  state.reopened.delete(unitKey(unit));
  put(state, unit, code, record);
  if (state.candidates.size > 0) replaceCandidate(state, unit, { code, record });
  if (item !== undefined) settleItem(state, block, entry.at);
  if (state.blocks[block] === FAILED && compiled.workflow.blocks[block]!.continueOnError !== true) {
    // Of several failures the first in the definition is reported, whichever was quicker.
    state.fatal = state.fatal < 0 ? block : Math.min(state.fatal, block);
  }
  state.unsettled[wave] = state.unsettled[wave]! - 1;
}

function stepRecord(entry: Settling, retries: number | undefined): StepRecord {
  if (entry.type === "assumed") return { at: entry.at, ms: 0, assumed: true };
  const ms = entry.ms ?? 0;
  const given = entry.given === undefined ? undefined : { given: entry.given };
  if (entry.type === "skipped") return { at: entry.at, ms, skipped: entry.reason, ...given };
  const outputs = isRecord(entry.outputs) ? (entry.outputs as Values) : null;
  const record = { at: entry.at, ms, outputs, ...(retries === undefined ? {} : { attempts: retries + 1 }), ...given };
  return entry.type === "failed" ? { ...record, error: entry.error } : record;
}

/** A unit that a revision opened has come to something: what it came to before is none of its outcomes any more. */
function replaceCandidate(state: RunState, unit: Unit, { code, record }: Pick<Candidate, "code" | "record">): void {
  const before = state.candidates.get(unitKey(unit));
  if (!before) return;
  // What was skipped may be due again after another revision.
  if (code !== SKIPPED_BLOCK || record?.given !== undefined) state.candidates.delete(unitKey(unit));
  if (before.code === PENDING || before.code === PAUSED || before.code === WAITING) return;
  if (before.code !== code || !sameValue(before.record?.outputs, record?.outputs)) state.changed.set(unit.block, state.entries);
}

function ask(folding: Folding, entry: PausedEntry): void {
  const { state } = folding;
  const unit = unitOf(folding, entry);
  if (entry.pause !== state.pauses.length) throw corrupt(state, `a question of block "${entry.block}" that is out of its turn`);
  // Questions of a called run stand beside each other. Otherwise a block that asks again has taken note of its last answer.
  if (entry.child === undefined || codeOf(state, unit) !== PAUSED) {
    takeTurn(folding, unit, "a question");
    countWaiting(state, folding.compiled.plan.waveOf[unit.block]!, 1);
  }
  if (entry.child !== undefined) noteCall(state, unit, { pause: entry.pause, answers: 0 });
  const key = unitKey(unit);
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  const candidate = state.candidates.get(key);
  if (candidate?.given !== undefined) state.candidates.set(key, { ...candidate, given: undefined });
  state.reopened.delete(key);
  put(state, unit, PAUSED, { at: entry.at, ms: entry.ms ?? 0, ...(entry.given === undefined ? {} : { given: entry.given }) });
  const place = state.former.size === 0 ? -1 : standingOf(state, unit).length;
  const supersedes = entry.about === undefined && entry.child === undefined ? state.former.get(key)?.[place] : undefined;
  const loop = state.iterations.get(key);
  state.pauses.push({
    ...newPause(unit, entry),
    supersedes,
    ...(entry.child === undefined ? {} : { workflow: state.callers.get(key)?.workflow }),
    ...(loop ? { again: { count: loop.past.length, carried: loop.carried } } : {}),
  });
  if (supersedes !== undefined) state.pauses[supersedes]!.supersededBy = entry.pause;
  const asked = state.asked.get(key);
  if (asked) asked.push(entry.pause);
  else state.asked.set(key, [entry.pause]);
  state.open.add(entry.pause);
}

function answer({ state, dropped }: Folding, entry: AnsweredEntry): void {
  const pause = state.pauses[entry.pause];
  if (!pause || pause.answer || pause.closed) throw corrupt(state, `an answer to pause ${entry.pause}, which is not open`);
  const { response, action, by, at } = entry;
  pause.answer = { response, action, by, at, place: state.entries - 1 };
  // Who changes an answer, or confirms an earlier one, goes back through the questions in the order that they had.
  pause.rank = pause.supersedes === undefined ? state.entries - 1 : state.pauses[pause.supersedes]!.rank || state.entries - 1;
  pause.refusal = undefined;
  pause.isOver = by === "timeout";
  state.open.delete(entry.pause);
  // Drafts belong to the question, whichever asking they were typed for; those before one that was answered went with that.
  for (let asking: number | undefined = entry.pause; asking !== undefined; asking = askedBefore(state, asking)) dropped.push(asking);
  if (pause.entry.child === undefined) state.answered.add(entry.pause);
  else {
    // The called run has the answer; what is left to do here is to look how it stands.
    pause.closed = true;
    noteCall(state, pause, { pause: entry.pause, answers: 1 });
  }
}

function noteCall({ calls }: RunState, unit: Unit, { pause, answers }: OpenCall): void {
  const key = unitKey(unit);
  calls.set(key, { pause, answers: (calls.get(key)?.answers ?? 0) + answers });
}

/** The asking that another one took the place of, where it was not answered. */
function askedBefore({ pauses }: RunState, asking: number): number | undefined {
  const { supersedes } = pauses[asking]!;
  return supersedes === undefined || pauses[supersedes]!.answer ? undefined : supersedes;
}

function finish({ state, dropped }: Folding, entry: FinishedEntry): void {
  state.finished = entry;
  if (entry.status === "cancelled") dropped.push(...state.open);
  state.outputs = isRecord(entry.outputs) ? (entry.outputs as Values) : undefined;
}
