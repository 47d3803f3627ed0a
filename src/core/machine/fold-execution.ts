import type { ErrorCode } from "../model/errors.ts";
import { sameValue } from "../model/fingerprint.ts";
import type {
  AssumedEntry,
  AttemptedEntry,
  BeganEntry,
  Entry,
  IteratedEntry,
  MemoizedEntry,
  WaitingEntry,
  Writes,
} from "../model/journal.ts";
import { valuesOf } from "../model/value.ts";
import { survivesFailure } from "../model/workflow.ts";
import { COMPLETED, FAILED, isSettled, PAUSED, PENDING, SKIPPED_BLOCK, WAITING } from "./block-status.ts";
import { foldChanges, foldUnknownChanges } from "./fold-changes.ts";
import { noteFilesRead, withFiles } from "./files.ts";
import type { Plan } from "../definition/definition.ts";
import { assertItem, corrupt, type Folding, namedUnit } from "./folding.ts";
import { noteGiven } from "./given-inputs.ts";
import { noteDone, noteUndone } from "./fold-compensation.ts";
import { openItems, settleItem } from "./items.ts";
import { foldMemoized } from "./memos.ts";
import { ask, assertNext, newPause, noteEnded, withdraw } from "./fold-questions.ts";
import { codeOf, put, type RunState, startWaiting } from "./state.ts";
import type { StepRecord } from "./step-records.ts";
import { admitRecord } from "./admit-record.ts";
import { reserveSignal, takeSignal } from "./signals.ts";
import { type Candidate, changeUnit, noteChange, turnOf, type UnitProgress, type UnitState, wokenFor } from "./unit-state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** Entries about an execution: it began, ended, asked or waits. */
type ExecutionType = "completed" | "failed" | "skipped" | "paused" | "attempted" | "waiting" | "iterated" | "items" | "began" | "memoized";
type ExecutionEntry = Extract<Entry, { readonly type: ExecutionType }>;
/** Entries with the outcome of an execution. */
type OutcomeEntry = Exclude<ExecutionEntry, { readonly type: "items" | "began" | "memoized" }>;
type Settling = Extract<OutcomeEntry, { readonly type: "completed" | "failed" | "skipped" }> | AssumedEntry;

/** A record, so that the compiler finds one that is missing. */
const EXECUTION_TYPES: { readonly [type in ExecutionType]: true } = {
  completed: true,
  failed: true,
  skipped: true,
  paused: true,
  attempted: true,
  waiting: true,
  iterated: true,
  items: true,
  began: true,
  memoized: true,
};
const OF_EXECUTIONS: ReadonlySet<string> = new Set(Object.keys(EXECUTION_TYPES));

/** Whether an entry is about an execution. */
export function isOfExecution(entry: Entry): entry is ExecutionEntry {
  return OF_EXECUTIONS.has(entry.type);
}

/**
 * Failures that leave open what the block did: it was asked to stop, or the outcome is unknown. After them a block that must not run twice is executed
 * again only if a person says so.
 */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["BLOCK_TIMEOUT", "CONNECTION_LOST", "PAUSE_DECLINED"]);

/** Folds an entry about an execution. Gives false where the execution began before the last revision of its unit. Throws `RUN_CORRUPT`. */
export function foldExecution(folding: Folding, entry: ExecutionEntry): boolean {
  const { state } = folding;
  const unit = namedUnit(folding, entry);
  if (entry.type === "memoized") {
    foldMemoized(folding, unit, entry);
    return false;
  }
  if (turnOf(state, unit) !== (entry.turn ?? 0) || isGone(folding, unit)) {
    if (isOutcome(entry)) foldStale(folding, unit, entry);
    return false;
  }
  assertItem(folding, unit);
  if (entry.type === "items") openItems(folding, unit, entry);
  else if (entry.type === "began") begin(folding, unit, entry);
  else foldOutcome(folding, unit, entry);
  return true;
}

/** Whether the block was added and a revision took it away. A process that executed it may not have read that yet. */
function isGone({ state: { added }, compiled }: Folding, { block }: Unit): boolean {
  return added?.[block - compiled.plan.ids.length + added.length]?.isGone === true;
}

function isOutcome(entry: Exclude<ExecutionEntry, MemoizedEntry>): entry is OutcomeEntry {
  return entry.type !== "items" && entry.type !== "began";
}

function foldOutcome(folding: Folding, unit: Unit, entry: OutcomeEntry): void {
  const { state } = folding;
  if (entry.read) noteFilesRead(state, unit, entry.read);
  if (entry.signal !== undefined) {
    takeSignal(state, unit, entry.signal);
    noteEnded(state, unit, state.signals!.get(entry.signal)!.name);
  }
  switch (entry.type) {
    case "paused":
      ask(folding, unit, entry);
      put(state, unit, PAUSED, recordFrom(entry));
      break;
    case "attempted":
    case "waiting":
      sleep(folding, unit, entry);
      break;
    case "iterated":
      iterate(folding, unit, entry);
      break;
    default:
      settle(folding, unit, entry);
  }
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  if (entry.childEntries !== undefined) {
    const own = changeUnit(state, unit);
    (own.childEntries ??= new Map()).set(own.caller?.workflow ?? "", entry.childEntries);
  }
  const known = state.units.get(unitKey(unit));
  if (!known) return;
  noteEnd(state, known, entry);
  // Its earlier outcome cannot hold again; the new one is compared with it.
  if (known.candidate && !isSettled(codeOf(state, unit))) known.candidate = { ...known.candidate, given: undefined };
}

/** Ends a unit. Throws `RUN_CORRUPT`. */
export function settle(folding: Folding, unit: Unit, entry: Settling): void {
  const { state, compiled } = folding;
  const { block, item } = unit;
  const wave = compiled.plan.waveOf[block]!;
  admitRecord(folding, unit, "a record");
  if (entry.type === "completed") foldChanges(folding, unit, entry);
  if (entry.type === "assumed") foldUnknownChanges(folding, unit);
  const known = state.units.get(unitKey(unit));
  const code = CODES[entry.type];
  const record = recordFrom(entry, known?.progress.retries);
  put(state, unit, code, record);
  if (known) {
    known.reopened = undefined;
    // No revision can open it again.
    if (entry.type === "completed" && entry.given === undefined) known.memos = undefined;
    if (known.candidate) replaceCandidate(state, known, { code, record });
  }
  // Reused outputs are no new execution, and are undone once.
  const isRepeated = known?.effect !== undefined && !known.begun;
  if (entry.type === "completed" && !isRepeated) noteDone(folding, block, record.outputs ?? null);
  if (state.compensation) return noteUndone(folding, block, entry.at);
  if (item !== undefined) settleItem(state, block, entry.at);
  if (state.blocks[block] === FAILED && !survivesFailure(compiled.workflow.blocks[block]!)) {
    // Of several failures the first in the definition is reported, whichever was quicker.
    if (state.fatal < 0 || isBefore(compiled.plan, block, state.fatal)) state.fatal = block;
  }
  state.unsettled[wave] = state.unsettled[wave]! - 1;
}

const CODES = { completed: COMPLETED, assumed: COMPLETED, skipped: SKIPPED_BLOCK, failed: FAILED } as const;

function isBefore({ ranks }: Plan, block: number, other: number): boolean {
  return ranks ? ranks[block]! < ranks[other]! : block < other;
}

/** Ends the candidate of a unit that a revision opened: it has a new outcome. */
function replaceCandidate(state: RunState, unit: UnitState, { code, record }: { code: number; record: StepRecord }): void {
  const before = unit.candidate!;
  // A skipped unit may be due again after another revision.
  if (code !== SKIPPED_BLOCK || record.given !== undefined) unit.candidate = undefined;
  if (!isSettled(before.code)) return;
  const isSame = before.code === code && sameValue(before.record?.outputs, record.outputs);
  if (!isSame || !sameValue(before.progress.files, unit.progress.files)) noteChange(state, unit);
}

/** The record that an entry makes for its unit. */
function recordFrom(entry: OutcomeEntry | AssumedEntry, retries?: number): StepRecord {
  if (entry.type === "assumed") return { at: entry.at, ms: 0, assumed: true };
  const { at, ms = 0, given } = entry;
  const attempts = retries === undefined ? undefined : retries + 1;
  switch (entry.type) {
    case "completed":
      return { at, ms, given, outputs: valuesOf(entry.outputs), attempts, next: entry.next, cached: entry.cached };
    case "failed":
      return { at, ms, given, outputs: valuesOf(entry.outputs), attempts, error: entry.error };
    case "skipped":
      return { at, ms, given, skipped: entry.reason };
    case "waiting":
      return { at, ms, given, until: entry.until, events: entry.events };
    case "attempted":
      return { at, ms, given, until: entry.until, error: entry.error, attempts };
    default:
      return { at, ms, given };
  }
}

/** Folds that a unit continues at an instant: it waits, or it is retried. Throws `RUN_CORRUPT`. */
function sleep(folding: Folding, unit: Unit, entry: AttemptedEntry | WaitingEntry): void {
  const { state } = folding;
  const { progress } = changeUnit(state, unit);
  const { at, until, pause, signal } = entry;
  const retries = entry.type === "attempted";
  const woken = signal === undefined ? wokenFor(progress.sleeper) : undefined;
  admitRecord(folding, unit, "a wait");
  startWaiting(state, folding.compiled.plan.waveOf[unit.block]!, unit);
  if (retries) progress.retries = (progress.retries ?? 0) + 1;
  // It runs again at once.
  else if (until !== undefined && until <= at) state.supersteps++;
  // An attempt is counted with the one that follows it.
  put(state, unit, WAITING, recordFrom(entry, retries ? progress.retries! - 1 : undefined));
  const awaited = retries ? { signal } : { events: entry.events, schema: entry.schema };
  progress.sleeper = { until, retries, pause, woken, ...awaited };
}

/** Folds that a unit asked to run again. Throws `RUN_CORRUPT`. */
function iterate(folding: Folding, unit: Unit, entry: IteratedEntry): void {
  const { state } = folding;
  admitRecord(folding, unit, "an iteration");
  foldChanges(folding, unit, entry);
  const { progress } = changeUnit(state, unit);
  if (!state.compensation) state.round.add(unitKey(unit));
  state.supersteps++;
  const { at, ms = 0, given } = entry;
  const past = progress.loop?.past ?? [];
  past.push({ at, ms, given, attempts: progress.retries === undefined ? undefined : progress.retries + 1 });
  progress.loop = { past, carried: entry.value };
  progress.retries = undefined;
  progress.recoveries = undefined;
  put(state, unit, PENDING, { at, ms });
}

/** Folds that a block with an effect begins. Throws `RUN_CORRUPT`. */
function begin({ state }: Folding, unit: Unit, entry: BeganEntry): void {
  const code = codeOf(state, unit);
  if (code !== PENDING && code !== PAUSED && code !== WAITING) throw corrupt(state, "an execution that is out of its turn");
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  if (entry.repeats) return;
  const own = changeUnit(state, unit);
  const { begun, progress } = own;
  if (begun && !begun.isCleared) throw corrupt(state, "a second execution");
  const { pause, signal, given } = entry;
  const woken = signal === undefined ? (wokenFor(progress.sleeper) ?? begun?.woken) : undefined;
  if (signal !== undefined) reserveSignal(state, signal);
  own.begun = { pause, woken, signal, given, isCleared: false };
}

/** Ends an execution that had begun, once it is recorded, unless that leaves open whether it took effect. */
function noteEnd(state: RunState, unit: UnitState, entry: OutcomeEntry): void {
  if (!unit.begun || (entry.type === "paused" && entry.about)) return;
  if ((entry.type === "failed" || entry.type === "attempted") && UNCERTAIN.has(entry.error.code)) return;
  // It has run: no question about it, and no second execution without one.
  if (entry.type === "completed") unit.effect = { given: entry.given, outputs: valuesOf(entry.outputs), next: entry.next };
  const { signal } = unit.begun;
  // It was not executed with this input after all.
  if (signal !== undefined && !unit.progress.signals?.has(signal)) state.untaken = undefined;
  unit.begun = undefined;
}

/** Keeps the outcome of an execution that began before a revision: it does not count now, and holds again if the unit gets the same inputs. */
function foldStale(folding: Folding, unit: Unit, entry: OutcomeEntry): void {
  const { state } = folding;
  if (entry.type === "paused") {
    // A question that no longer counts has a number all the same.
    assertNext(state, entry);
    state.pauses.push(newPause(unit, entry));
    withdraw(state, entry.pause);
  }
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  if (entry.read) noteFilesRead(state, unit, entry.read);
  const own = changeUnit(state, unit);
  // The outcome of a call says nothing once an answer in the called run was changed.
  own.candidate = own.reopened ? undefined : candidateFrom(folding, own, entry);
  if (entry.type !== "completed") return;
  if (entry.files) state.hasFiles = true;
  noteEnd(state, own, entry);
  noteDone(folding, unit.block, valuesOf(entry.outputs) ?? null);
}

function candidateFrom({ compiled }: Folding, { block, candidate }: UnitState, entry: OutcomeEntry): Candidate | undefined {
  const { asked = [], loop, retries, deltas: before, files, added: earlier, signals } = candidate?.progress ?? {};
  const { writes, files: written, added: blocks } = entry.type === "completed" ? entry : {};
  const iteration = loop?.past.length ?? 0;
  const deltas = writes === undefined ? before : [...(before ?? []), { writes: writes as Writes }];
  const added = blocks === undefined ? earlier : [...(earlier ?? []), { iteration, blocks }];
  const progress: UnitProgress = { asked, loop, retries, deltas, files: written ? withFiles(files, written, iteration) : files, added };
  if (signals) progress.signals = new Map(signals);
  if (entry.signal !== undefined) (progress.signals ??= new Map()).set(entry.signal, { asked: asked.length, past: iteration });
  const of = { record: recordFrom(entry), given: loop ? loop.past[0]!.given : entry.given, progress, live: [] };
  switch (entry.type) {
    case "completed":
    case "skipped":
      return { ...of, code: CODES[entry.type] };
    case "failed":
      return survivesFailure(compiled.workflow.blocks[block]!) ? { ...of, code: FAILED } : undefined;
    case "paused":
      if (entry.child !== undefined) return undefined;
      return { ...of, code: PAUSED, progress: { ...progress, asked: [...asked, entry.pause] }, live: [entry.pause] };
    case "waiting": {
      const { until, pause, events, schema } = entry;
      const sleeper = { until, retries: false, woken: undefined, pause, events, schema };
      return { ...of, code: WAITING, progress: { ...progress, sleeper } };
    }
    default:
      return undefined;
  }
}
