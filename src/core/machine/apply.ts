import type {
  ArrivedEntry,
  Entry,
  FinishedEntry,
  ForgottenEntry,
  OpenedEntry,
  SuspendedEntry,
  TransferredEntry,
} from "../model/journal.ts";
import { addedPart } from "./added-part.ts";
import { foldExecution, isOfExecution, settle } from "./fold-execution.ts";
import { beginCompensation } from "./fold-compensation.ts";
import { foldMoved } from "./fold-moved.ts";
import { foldEffected, foldKept, foldReentered, foldRevised, foldWithdrawn } from "./fold-revised.ts";
import { type Applied, corrupt, type Folding, unitOf } from "./folding.ts";
import { unitsInFlight } from "./in-flight.ts";
import { answer, reopen } from "./fold-questions.ts";
import { reviveRun } from "./revive-run.ts";
import { definitionOf, type RunPlan } from "./run-plan.ts";
import type { RunState } from "./state.ts";
import { closePause } from "./admit-record.ts";
import { foldSignalled } from "./signals.ts";
import { markCheckpoints } from "./supersteps.ts";
import { changeUnit, type UnitState } from "./unit-state.ts";

export type { Applied } from "./folding.ts";

/** What may follow the end of a run. */
const AFTER_END: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "forgotten",
  "resumed",
  "revised",
  "reentered",
  "transferred",
  "arrived",
]);

/** What cannot follow once a run undoes what it did: it does not go on. */
const NOT_AFTER_COMPENSATION: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>([
  "resumed",
  "revised",
  "reentered",
  "kept",
  "supplied",
  "moved",
  "compensating",
]);

/**
 * Folds one more entry into the state of a run, and gives what it brings about besides. Deterministic: no clock, no chance, no store; the same
 * entries always give the same state. A definition to which an entry moves the run must be in the plan.
 * Values in the entry must be decoded. Throws `RUN_CORRUPT` for an entry that cannot follow what came before, so that no state is ever
 * built on a journal with a hole, a repetition or a step before its dependencies.
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
  if (counts && (entry.type !== "paused" || !entry.more)) markCheckpoints(folding);
  return folding;
}

/** Whether an entry may follow the end of a run. One that failed may go on, and keeps the signals that come until then. */
function mayFollow({ status }: FinishedEntry, { type }: Entry): boolean {
  return AFTER_END.has(type) || (type === "signalled" && status === "failed");
}

/** Whether an entry takes room for good: what a block carries over to its next execution is replaced by that one, and a base counts its own. */
export function holdsValues(entry: Entry): boolean {
  return entry.type === "iterated" ? (entry.writes ?? entry.checkpoint ?? entry.files ?? entry.added) !== undefined : entry.type !== "base";
}

function noteCaller(unit: UnitState, workflow: string | undefined): void {
  const { workflows = [] } = unit.caller ?? {};
  const all = workflow === undefined || workflows.includes(workflow) ? workflows : [...workflows, workflow];
  unit.caller = { workflow, ...(all.length > 0 && { workflows: all }) };
}

function noteResource({ resources }: RunState, { run, blockType, name, reference: held }: OpenedEntry): void {
  const key = `${blockType} ${name}`;
  const before = resources.get(key);
  resources.set(key, { run, blockType, name, held, count: before?.run === run ? before.count + 1 : 0 });
}

/** Folds what is not said of an execution. Gives false where another entry follows that belongs to it. */
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
      noteCaller(changeUnit(state, unitOf(folding, entry)), entry.workflow);
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
      beginCompensation(folding, entry);
      break;
    case "finished":
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

/**
 * The run is stopped for now. What may be executing then is executed again. Nothing changes where two stopped it at the same time, or where it undoes
 * what it did.
 */
function suspend(folding: Folding, { at, withCaller }: SuspendedEntry): void {
  const { state } = folding;
  if (state.suspension || state.compensation) return;
  noteRecovery(folding, at);
  state.suspension = { withCaller: withCaller === true };
}

/** What may have been executing at a moment is executed again. */
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

/** Folds that a run left for another store, or came from one. Throws `RUN_CORRUPT`. */
function handOver(state: RunState, entry: TransferredEntry | ArrivedEntry): void {
  const arrives = entry.type === "arrived";
  if (arrives !== (state.transferredTo !== undefined))
    throw corrupt(state, arrives ? "an arrival of a run that had not left" : "a second departure");
  if (entry.ownership !== state.ownership + (arrives ? 1 : 0)) throw corrupt(state, `a change of hands out of its turn`);
  if (!arrives && typeof entry.to !== "string") throw corrupt(state, "a departure to nowhere");
  state.ownership = entry.ownership;
  state.transferredTo = arrives ? undefined : entry.to;
}
