import type {
  ArrivedEntry,
  CompensatingEntry,
  Entry,
  FinishedEntry,
  ForgottenEntry,
  OpenedEntry,
  SuspendedEntry,
  TransferredEntry,
} from "../model/journal.ts";
import { addedPart } from "./added-part.ts";
import { STOPPED } from "./block-status.ts";
import { foldExecution, isOfExecution, settle } from "./fold-execution.ts";
import { beginCompensation } from "./fold-compensation.ts";
import { foldMoved } from "./fold-moved.ts";
import { foldEffected, foldForked, foldKept, foldReentered, foldRevised, foldWithdrawn } from "./fold-revised.ts";
import { type Applied, corrupt, type Folding, namedUnit, unitOf } from "./folding.ts";
import { unitsInFlight } from "./in-flight.ts";
import { answer, reopen } from "./fold-questions.ts";
import { openedBefore, resourceKey } from "./resources.ts";
import { reviveRun } from "./revive-run.ts";
import { definitionOf, type RunPlan } from "./run-plan.ts";
import { put, type RunState } from "./state.ts";
import { closePause } from "./admit-record.ts";
import { foldSignalled, recountSignals } from "./signals.ts";
import { markCheckpoints } from "./supersteps.ts";
import { changeUnit, noteCall } from "./unit-state.ts";

export type { Applied } from "./folding.ts";

/** Entries that may follow the end of a run. */
const AFTER_END: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "forgotten",
  "resumed",
  "revised",
  "reentered",
  "forked",
  "transferred",
  "arrived",
]);

/** Entries that cannot follow once a run undoes what it did. */
const NOT_AFTER_COMPENSATION: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "resumed",
  "revised",
  "reentered",
  "kept",
  "supplied",
  "forked",
  "moved",
  "compensating",
]);

/**
 * Folds one more entry into the state of a run, and gives its other effects. Deterministic, without clock, randomness or store: the same entries always
 * give the same state. Values in the entry must be decoded, and a definition that it moves the run to must be in the plan. Throws `RUN_CORRUPT` for an
 * entry that cannot follow those before it: no state is ever built on a journal with a hole, a repetition, or a step before its dependencies.
 */
export function apply(plan: RunPlan, state: RunState, entry: Entry): Applied {
  if (state.finished && !mayFollow(state.finished, entry)) throw corrupt(state, `an entry "${entry.type}" after the end`);
  if (state.compensation && NOT_AFTER_COMPENSATION.has(entry.type)) {
    throw corrupt(state, `an entry "${entry.type}" of a run that undoes what it did`);
  }
  if (state.transferredTo !== undefined && entry.type !== "arrived") {
    throw corrupt(state, `an entry "${entry.type}" after the run was handed over`);
  }
  const folding: Folding = { plan, compiled: definitionOf(plan, state), state, checkpoints: undefined, dropped: undefined };
  state.entries++;
  if (entry.type !== "started") state.lastAt = entry.at;
  const counts = isOfExecution(entry) ? foldExecution(folding, entry) : foldOther(folding, entry);
  if (state.signals && mayGiveBack(state, entry, counts)) recountSignals(state);
  if (counts && (entry.type !== "paused" || !entry.more)) markCheckpoints(folding);
  return folding;
}

/** Entries that cannot free a signal that a unit has taken. */
const GIVES_NOTHING_BACK: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "signalled",
  "answered",
  "memoized",
  "opened",
  "called",
  "recovered",
  "forgotten",
  "suspended",
  "finished",
]);

/** Whether an entry may free a signal that a unit had taken, or take one away from others. */
function mayGiveBack({ revisions, compensation, untaken }: RunState, entry: Entry, counts: boolean): boolean {
  if (GIVES_NOTHING_BACK.has(entry.type)) return false;
  if (!isOfExecution(entry) || compensation) return true;
  // What began before a revision does not count, and the list may have other items after it.
  return untaken === undefined || !counts || (entry.type === "items" && revisions > 0);
}

/** Whether an entry may follow the end of a run. A failed run may continue, and keeps signals until then. */
function mayFollow({ status }: FinishedEntry, { type }: Entry): boolean {
  return AFTER_END.has(type) || (type === "signalled" && status === "failed");
}

/** Whether an entry takes room for good. What a block carries over to its next execution does not, and a base counts its own. */
export function holdsValues(entry: Entry): boolean {
  return entry.type === "iterated" ? (entry.writes ?? entry.checkpoint ?? entry.files ?? entry.added) !== undefined : entry.type !== "base";
}

function noteResource(state: RunState, { run, blockType, name, reference: held }: OpenedEntry): void {
  const own = { run, blockType, name };
  state.resources.set(resourceKey(own), { ...own, held, count: openedBefore(state, own) });
}

/** Folds entries that are not about an execution. Gives false where the next entry belongs to this one. */
function foldOther(folding: Folding, entry: Entry): boolean {
  const { state } = folding;
  switch (entry.type) {
    case "answered":
      answer(folding, entry);
      break;
    case "reopened":
      reopen(folding, entry);
      break;
    case "assumed":
      settle(folding, unitOf(folding, entry), entry);
      break;
    case "opened":
      noteResource(state, entry);
      break;
    case "called":
      noteCall(changeUnit(state, namedUnit(folding, entry)), entry.workflow);
      break;
    case "recovered":
      noteRecovery(folding, entry.at);
      break;
    case "resumed":
      if (state.suspension) state.suspension = undefined;
      else reviveRun(folding);
      break;
    case "suspended":
      suspend(folding, entry);
      break;
    case "signalled":
      foldSignalled(state, entry);
      break;
    case "forgotten":
      forget(folding, entry);
      break;
    case "revised":
      foldRevised(folding, entry);
      break;
    case "reentered":
      foldReentered(folding, entry);
      break;
    case "kept":
      foldKept(folding, entry);
      break;
    case "withdrawn":
      foldWithdrawn(folding, entry);
      break;
    case "effected":
      foldEffected(folding, entry);
      break;
    case "forked":
      foldForked(folding, entry);
      break;
    case "supplied":
      addedPart.code().foldSupplied(folding, entry);
      return !entry.more;
    case "moved":
      foldMoved(folding, entry);
      break;
    case "transferred":
    case "arrived":
      handOver(state, entry);
      break;
    case "compensating":
      stopUnits(folding, entry);
      beginCompensation(folding, entry);
      break;
    case "finished":
      stopUnits(folding, entry);
      state.finished = entry;
      state.resources.clear();
      state.suspension = undefined;
      if (entry.status === "cancelled") folding.dropped = [...state.open];
      break;
    case "started":
      throw corrupt(state, "a second start");
    default:
      throw corrupt(state, `of the unknown kind "${String(entry.type)}"`);
  }
  return true;
}

/** What executed when the run was cancelled comes to nothing. */
function stopUnits(folding: Folding, { stopped = [], at }: CompensatingEntry | FinishedEntry): void {
  for (const named of stopped) put(folding.state, unitOf(folding, named), STOPPED, { at, ms: 0 });
}

/**
 * Stops the run for now. What may have been executing is executed again. A run that was stopped by itself stays so when its caller is stopped too.
 * Nothing changes while the run undoes what it did.
 */
function suspend(folding: Folding, { at, withCaller }: SuspendedEntry): void {
  const { state } = folding;
  if (state.compensation) return;
  if (!state.suspension) noteRecovery(folding, at);
  state.suspension = { withCaller: withCaller === true && state.suspension?.withCaller !== false };
}

/** Counts the units that may have been executing at a moment as to be executed again. */
function noteRecovery(folding: Folding, at: number): void {
  for (const unit of unitsInFlight(folding, at)) {
    const { progress } = changeUnit(folding.state, unit);
    progress.recoveries = (progress.recoveries ?? 0) + 1;
  }
}

function forget(folding: Folding, entry: ForgottenEntry): void {
  const { state } = folding;
  if (entry.wave !== undefined) state.forgottenEnds.add(entry.wave);
  if (entry.requested !== undefined) {
    const requested = state.requested[entry.requested];
    if (!requested) throw corrupt(state, `a deletion of checkpoint ${entry.requested}, which no block asked for`);
    requested.forgotten = true;
  }
  if (entry.pause === undefined) return;
  const pause = state.pauses[entry.pause];
  if (!pause) throw corrupt(state, `a deletion of pause ${entry.pause}, which was never asked`);
  pause.forgotten = true;
  closePause(folding, pause);
}

/** Folds a transfer to another store, or from one. Throws `RUN_CORRUPT`. */
function handOver(state: RunState, entry: TransferredEntry | ArrivedEntry): void {
  const arrives = entry.type === "arrived";
  if (arrives !== (state.transferredTo !== undefined))
    throw corrupt(state, arrives ? "an arrival of a run that had not left" : "a second departure");
  if (entry.ownership !== state.ownership + (arrives ? 1 : 0)) throw corrupt(state, `a change of hands out of its turn`);
  if (!arrives && typeof entry.to !== "string") throw corrupt(state, "a departure to nowhere");
  state.ownership = entry.ownership;
  state.transferredTo = arrives ? undefined : entry.to;
}
