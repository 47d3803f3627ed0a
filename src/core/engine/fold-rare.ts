import type { AttemptedEntry, Entry, ForgottenEntry, IteratedEntry, ReopenedEntry, WaitingEntry } from "../model/journal.ts";
import { PAUSED, PENDING, STOPPED, WAITING } from "./block-code.ts";
import { foldMoved } from "./definition/fold-moved.ts";
import { foldBegan, foldRecovered } from "./effects/fold-began.ts";
import { openItems } from "./item-machine.ts";
import { handOver } from "./moving/hand-over.ts";
import { reviveRun } from "./revive.ts";
import { put, recordOf, type RunState } from "./state.ts";
import { close, corrupt, takeTurn, unitOf } from "./transition.ts";
import { unitKey } from "./unit.ts";

/** Folds what happens in few runs; loaded with a workflow, not with the entry. Throws `RUN_CORRUPT`. */
export function foldRare(state: RunState, entry: Entry): void {
  switch (entry.type) {
    case "items":
      openItems(state, entry);
      break;
    case "attempted":
    case "waiting":
      sleep(state, entry);
      break;
    case "iterated":
      iterate(state, entry);
      break;
    case "reopened":
      reopen(state, entry);
      break;
    case "called": {
      const unit = unitOf(state, entry);
      state.callers.set(unitKey(unit), unit);
      break;
    }
    case "stopped":
      put(state, unitOf(state, entry), STOPPED, { at: entry.at, ms: entry.ms ?? 0 });
      break;
    case "resumed":
      reviveRun(state);
      break;
    case "forgotten":
      forget(state, entry);
      break;
    case "revises":
      // A fork of a run that revised another one takes over from its own source alone.
      state.revises = { ...entry, place: state.entries - 1 };
      break;
    case "transferred":
    case "arrived":
      handOver(state, entry);
      break;
    case "moved":
      foldMoved(state, entry);
      break;
    case "began":
      foldBegan(state, entry);
      break;
    case "recovered":
      foldRecovered(state, entry);
      break;
    case "started":
      throw corrupt(state, "a second start");
    default:
      throw corrupt(state, `of the unknown kind "${String(entry.type)}"`);
  }
}

function sleep(state: RunState, entry: AttemptedEntry | WaitingEntry): void {
  const unit = unitOf(state, entry);
  const key = unitKey(unit);
  const { at, ms = 0, until, pause } = entry;
  const retries = entry.type === "attempted";
  const before = state.sleepers.get(key);
  takeTurn(state, unit, "a wait");
  state.waiting++;
  if (retries) state.retries.set(key, (state.retries.get(key) ?? 0) + 1);
  // It runs again at once.
  else if (until <= at) state.supersteps++;
  put(state, unit, WAITING, { at, ms, until, ...(retries ? { error: entry.error, attempts: state.retries.get(key)! } : {}) });
  const woken = before?.retries ? before.woken : before?.until;
  state.sleepers.set(key, { ...unit, until, retries, pause, woken });
}

function iterate(state: RunState, entry: IteratedEntry): void {
  const unit = unitOf(state, entry);
  const key = unitKey(unit);
  takeTurn(state, unit, "an iteration");
  // Who asks a second time has run in a superstep of its own.
  if (state.round.has(key)) {
    state.ends.push(state.entries - 1);
    state.round.clear();
  }
  state.round.add(key);
  state.supersteps++;
  state.iterations.set(key, { count: (state.iterations.get(key)?.count ?? 1) + 1, carried: entry.value });
  state.retries.delete(key);
  state.recoveries.delete(key);
  put(state, unit, PENDING, { at: entry.at, ms: entry.ms ?? 0 });
}

function reopen(state: RunState, entry: ReopenedEntry): void {
  const pause = state.pauses[entry.pause];
  const key = pause && unitKey(pause);
  const isWorkedOn =
    pause && (!pause.closed || state.sleepers.get(key!)?.pause === entry.pause || state.begun.get(key!)?.pause === entry.pause);
  if (!pause?.answer || !isWorkedOn) throw corrupt(state, `a refusal of an answer that pause ${entry.pause} does not have`);
  if (pause.closed) {
    // The block had failed with this answer, or waited, and has looked at it again.
    takeTurn(state, pause, "a refusal");
    state.waiting++;
    put(state, pause, PAUSED, { at: entry.at, ms: recordOf(state, pause)?.ms ?? 0 });
    pause.closed = false;
  }
  pause.answer = undefined;
  pause.refusal = entry.error;
  state.answered.delete(entry.pause);
  state.open.add(entry.pause);
}

function forget(state: RunState, entry: ForgottenEntry): void {
  if (entry.wave !== undefined) state.forgottenEnds.add(entry.wave);
  if (entry.pause === undefined) return;
  const pause = state.pauses[entry.pause];
  if (!pause) throw corrupt(state, `a deletion of pause ${entry.pause}, which was never asked`);
  pause.forgotten = true;
  close(state, pause);
}
