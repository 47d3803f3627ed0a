import { WorkflowError } from "../model/errors.ts";
import { callersOf, codeOf, isSettled, type RunState } from "../machine/machine.ts";
import { recordStored } from "./after-conflicts.ts";
import { findCalled } from "./called-run.ts";
import type { HeldRun } from "./held-run.ts";
import type { RunnerServices } from "./services.ts";

/**
 * Stops a run for now, wherever it is executed, and the runs its blocks called. What executes is aborted, and executed again once the run is resumed.
 * Throws `RUN_ENDED` for a run that has ended, or undoes what it did.
 */
export async function stopRun(services: RunnerServices, run: HeldRun): Promise<void> {
  await recordStored(services.host, run, (session) => {
    const { state } = session;
    if (state.finished ?? state.compensation) throw ended(state);
    // What was stopped with its caller, and is stopped by itself, does not go on with its caller.
    return state.suspension?.withCaller === false ? undefined : { type: "suspended", at: session.now() };
  });
  await stopCalledRuns(services, run);
  await run.rest();
}

/** Stops the runs that the blocks of a stopped run have called. What has ended, or was stopped before, stays as it is. */
async function stopCalledRuns(services: RunnerServices, run: HeldRun): Promise<void> {
  const { state } = run.session;
  for (const unit of callersOf(state)) {
    const child = isSettled(codeOf(state, unit)) ? undefined : await findCalled(services, run.session, unit);
    if (!child) continue;
    await recordStored(services.host, child, (session) => {
      const { finished, compensation, suspension } = session.state;
      return (finished ?? compensation ?? suspension) ? undefined : { type: "suspended", withCaller: true, at: session.now() };
    });
    await stopCalledRuns(services, child);
  }
}

/** Lets a run that was stopped for now go on. Nothing of it is executed yet. */
export function liftSuspension(services: RunnerServices, run: HeldRun): Promise<void> {
  return recordStored(services.host, run, (session) => (session.state.suspension ? { type: "resumed", at: session.now() } : undefined));
}

/** Why the blocks of a run are aborted that is stopped for now. */
export function suspended(run: string): WorkflowError {
  return new WorkflowError("ABORTED", `Run ${run} was stopped for now. What was executing is executed again once it is resumed.`, {
    details: { run },
  });
}

function ended({ id, finished }: RunState): WorkflowError {
  const how = finished ? `is ${finished.status}` : "undoes what it did";
  return new WorkflowError("RUN_ENDED", `Run ${id} ${how}, so there is nothing to stop.`, { details: { run: id } });
}
