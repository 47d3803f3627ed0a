import type { PauseReason, RunStatus } from "../model/run.ts";
import { hasDelivery } from "./signals.ts";
import { type RunState, unaskedCalls, unsettledIn, waitingIn, waitingUnits } from "./state.ts";

/** The status a list of runs shows. */
export function statusOf(state: RunState): RunStatus {
  if (state.finished) return state.finished.status;
  // A copy that was left behind waits for nothing here, and nothing of it is executed.
  if (state.transferredTo !== undefined) return "paused";
  if (state.suspension) return "paused";
  return (state.open.size > 0 || waitsForOthers(state)) && isQuiet(state) ? "paused" : "running";
}

/** Why a run is paused, where that is not that it asks. */
export function reasonOf({ suspension }: RunState): { readonly reason?: PauseReason } {
  return suspension ? { reason: "stopped" } : {};
}

/** Whether everything that waits waits for something from outside of the run: it does not go on by itself at an instant. */
function waitsForOthers(state: RunState): boolean {
  const units = waitingUnits(state);
  return units.length > 0 && units.every(({ progress: { sleeper } }) => sleeper !== undefined && sleeper.until === undefined);
}

/** Whether nothing of the run can execute: everything in the current wave has settled, or waits for an answer that is not there or an instant. */
function isQuiet(state: RunState): boolean {
  // The end of the run has yet to be written, or a signal has to be taken.
  if (state.fatal >= 0 || hasDelivery(state)) return false;
  if (state.wave >= state.unsettled.length) return true;
  return unsettledIn(state) === waitingIn(state) && state.answered.size === 0 && unaskedCalls(state).length === 0;
}
