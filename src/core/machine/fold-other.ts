import type {
  ArrivedEntry,
  AttemptedEntry,
  Entry,
  ForgottenEntry,
  IteratedEntry,
  ReopenedEntry,
  TransferredEntry,
  WaitingEntry,
} from "../model/journal.ts";
import { PAUSED, PENDING, STOPPED, WAITING } from "./block-status.ts";
import { foldMoved } from "./fold-moved.ts";
import { foldBegan, foldRecovered } from "./fold-began.ts";
import { foldEffected, foldKept, foldReentered, foldRevised, foldWithdrawn } from "./fold-revised.ts";
import type { Folding } from "./fold-context.ts";
import { openItems } from "./items.ts";
import { reviveRun } from "./revive-run.ts";
import { noteGiven } from "./open-units.ts";
import { type RunState, countWaiting, put, recordOf } from "./state.ts";
import { close, corrupt, takeTurn, unitOf } from "./turns.ts";
import { unitKey } from "./unit.ts";

/** Folds the types of entries that `apply` leaves to it: those that few runs have. Throws `RUN_CORRUPT`. */
export function foldOther(folding: Folding, entry: Entry): void {
  const { state } = folding;
  switch (entry.type) {
    case "items":
      openItems(folding, entry);
      break;
    case "attempted":
    case "waiting":
      sleep(folding, entry);
      break;
    case "iterated":
      iterate(folding, entry);
      break;
    case "reopened":
      reopen(folding, entry);
      break;
    case "called": {
      const unit = unitOf(folding, entry);
      state.callers.set(unitKey(unit), entry.workflow === undefined ? unit : { ...unit, workflow: entry.workflow });
      break;
    }
    case "stopped":
      put(state, unitOf(folding, entry), STOPPED, { at: entry.at, ms: entry.ms ?? 0 });
      break;
    case "resumed":
      reviveRun(folding);
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
    case "transferred":
    case "arrived":
      handOver(state, entry);
      break;
    case "moved":
      foldMoved(folding, entry);
      break;
    case "began":
      foldBegan(folding, entry);
      break;
    case "recovered":
      foldRecovered(folding, entry);
      break;
    case "started":
      throw corrupt(state, "a second start");
    default:
      throw corrupt(state, `of the unknown kind "${String(entry.type)}"`);
  }
}

function sleep(folding: Folding, entry: AttemptedEntry | WaitingEntry): void {
  const { state } = folding;
  const unit = unitOf(folding, entry);
  const key = unitKey(unit);
  const { at, ms = 0, until, pause } = entry;
  const retries = entry.type === "attempted";
  const before = state.sleepers.get(key);
  takeTurn(folding, unit, "a wait");
  countWaiting(state, folding.compiled.plan.waveOf[unit.block]!, 1);
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  const known = entry.given === undefined ? undefined : { given: entry.given };
  if (retries) state.retries.set(key, (state.retries.get(key) ?? 0) + 1);
  // It runs again at once.
  else if (until <= at) state.supersteps++;
  put(state, unit, WAITING, { at, ms, until, ...(retries ? { error: entry.error, attempts: state.retries.get(key)! } : {}), ...known });
  const woken = before?.retries ? before.woken : before?.until;
  state.sleepers.set(key, { ...unit, until, retries, pause, woken });
}

function iterate(folding: Folding, entry: IteratedEntry): void {
  const { state } = folding;
  const unit = unitOf(folding, entry);
  const key = unitKey(unit);
  takeTurn(folding, unit, "an iteration");
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  const candidate = state.candidates.get(key);
  // It cannot hold again, and is what the outcome is compared with.
  if (candidate) state.candidates.set(key, { ...candidate, given: undefined });
  state.round.add(key);
  state.supersteps++;
  const { at, ms = 0 } = entry;
  const failures = state.retries.get(key);
  const past = state.iterations.get(key)?.past ?? [];
  past.push({ at, ms, ...(failures === undefined ? {} : { attempts: failures + 1 }) });
  state.iterations.set(key, { past, carried: entry.value });
  state.retries.delete(key);
  state.recoveries.delete(key);
  put(state, unit, PENDING, { at, ms });
}

function reopen(folding: Folding, entry: ReopenedEntry): void {
  const { state } = folding;
  const pause = state.pauses[entry.pause];
  const key = pause && unitKey(pause);
  const isWorkedOn =
    pause && (!pause.closed || state.sleepers.get(key!)?.pause === entry.pause || state.begun.get(key!)?.pause === entry.pause);
  if (!pause?.answer || pause.withdrawn || !isWorkedOn)
    throw corrupt(state, `a refusal of an answer that pause ${entry.pause} does not have`);
  if (pause.closed) {
    // The block had failed with this answer, or waited, and has looked at it again.
    takeTurn(folding, pause, "a refusal");
    countWaiting(state, folding.compiled.plan.waveOf[pause.block]!, 1);
    put(state, pause, PAUSED, { at: entry.at, ms: recordOf(state, pause)?.ms ?? 0 });
    pause.closed = false;
  }
  pause.answer = undefined;
  pause.refusal = entry.error;
  state.answered.delete(entry.pause);
  state.open.add(entry.pause);
}

function forget(folding: Folding, entry: ForgottenEntry): void {
  const { state } = folding;
  if (entry.wave !== undefined) state.forgottenEnds.add(entry.wave);
  if (entry.pause === undefined) return;
  const pause = state.pauses[entry.pause];
  if (!pause) throw corrupt(state, `a deletion of pause ${entry.pause}, which was never asked`);
  pause.forgotten = true;
  close(folding, pause);
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
