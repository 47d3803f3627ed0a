import { WorkflowError } from "../model/errors.ts";
import type { ResumedEntry, SuspendedEntry } from "../model/journal.ts";
import type { Session } from "../journal/journal.ts";
import { callersOf, codeOf, isSettled, type RunState } from "../machine/machine.ts";
import { concludeStored } from "./after-conflicts.ts";
import { findCalled } from "./called-run.ts";
import type { HeldRun } from "./held-run.ts";
import type { RunnerServices } from "./services.ts";

/**
 * Stops a run for now, wherever it is executed, and the runs its blocks called. What executes is aborted, and executed again once the run is resumed.
 * Throws `RUN_ENDED` for a run that has ended, or undoes what it did.
 */
export async function stopRun(services: RunnerServices, run: HeldRun): Promise<void> {
  await recordStored(services, run, ({ state }) => {
    if (state.finished ?? state.compensation) throw ended(state);
    return state.suspension ? undefined : { type: "suspended" };
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
    await recordStored(services, child, ({ state: { finished, compensation, suspension } }) =>
      (finished ?? compensation ?? suspension) ? undefined : { type: "suspended", withCaller: true },
    );
    await stopCalledRuns(services, child);
  }
}

/** Lets a run that was stopped for now go on. Nothing of it is executed yet. */
export function liftSuspension(services: RunnerServices, run: HeldRun): Promise<void> {
  return recordStored(services, run, ({ state }) => (state.suspension ? { type: "resumed" } : undefined));
}

/** Records what the newest state of the run asks for, if anything. */
function recordStored(
  services: RunnerServices,
  run: HeldRun,
  decide: (session: Session) => Omit<SuspendedEntry, "at"> | Omit<ResumedEntry, "at"> | undefined,
): Promise<void> {
  return concludeStored(services.host, run, async () => {
    await run.catchUp();
    run.assertHere();
    const { session } = run;
    const entry = decide(session);
    if (entry) session.record({ ...entry, at: session.now() });
    await session.flushed();
  });
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
