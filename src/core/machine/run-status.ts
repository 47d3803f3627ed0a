import type { PauseReason, RunStatus } from "../model/run.ts";
import { hasDelivery } from "./signals.ts";
import { type RunState, unaskedCalls, unsettledIn, waitingIn, waitingUnits } from "./state.ts";

/** The status a list of runs shows. */
export function statusOf(state: RunState): RunStatus {
  if (state.finished) return state.finished.status;
  // The copy of a transferred run waits for nothing here, and does not execute.
  if (state.transferredTo !== undefined) return "paused";
  if (state.suspension) return "paused";
  return (state.open.size > 0 || waitsForOthers(state)) && isQuiet(state) ? "paused" : "running";
}

/** Why a run is paused, if not for a question. */
export function reasonOf({ suspension }: RunState): { readonly reason?: PauseReason } {
  return suspension ? { reason: "stopped" } : {};
}

/** Whether all that waits is for something from outside: the run does not continue by itself at an instant. */
function waitsForOthers(state: RunState): boolean {
  const units = waitingUnits(state);
  return units.length > 0 && units.every(({ progress: { sleeper } }) => sleeper !== undefined && sleeper.until === undefined);
}

/** Whether nothing of the run can execute: all units of the current wave have settled, or wait for a missing answer or an instant. */
function isQuiet(state: RunState): boolean {
  // The end of the run is not written yet, or a signal is to be taken.
  if (state.fatal >= 0 || hasDelivery(state)) return false;
  if (state.wave >= state.unsettled.length) return true;
  return unsettledIn(state) === waitingIn(state) && state.answered.size === 0 && unaskedCalls(state).length === 0;
}
