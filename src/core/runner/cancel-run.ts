import { WorkflowError } from "../model/errors.ts";
import { afterConflicts } from "./after-conflicts.ts";
import { findCalled } from "./called-run.ts";
import { recordUnsuccessful } from "./finish-run.ts";
import { callersOf, codeOf, isSettled, type OpenResource } from "../machine/machine.ts";
import type { CheckpointPlace } from "../journal/journal.ts";
import type { HeldRun } from "./held-run.ts";
import type { RunnerServices } from "./services.ts";
import { nameUnit } from "./step-context.ts";

/** Ends a run as `cancelled`, wherever it is executed, with the runs its blocks called. Those are undone before the run itself. */
export async function cancelRun(services: RunnerServices, run: HeldRun, options: { readonly reason?: string }): Promise<void> {
  let resources: readonly OpenResource[] = [];
  await recordAgain(services, run, () => {
    resources = [...run.session.state.resources.values()];
    recordCancelled(run, options.reason);
  });
  await cancelCalledRuns(services, run, options);
  const { compensation } = run.session.state;
  if (compensation) run.drive();
  await run.rest();
  // A run that undoes what it did closes its resources at the end.
  if (!compensation) await run.closeResources(resources);
}

/** Records that a run ends as `cancelled`, and aborts what it executes here. Nothing happens where it has ended, or undoes what it did. */
export function recordCancelled(run: HeldRun, reason: string | undefined): void {
  const { session } = run;
  const { state } = session;
  if (state.finished ?? state.compensation) return;
  const message = reason ? `The run was cancelled: ${reason}` : "The run was cancelled.";
  const error = new WorkflowError("RUN_CANCELLED", message, reason ? { details: { reason } } : {});
  const stopped = run.running().map((unit) => nameUnit(session, unit));
  recordUnsuccessful(session, { status: "cancelled", error: error.toJSON(), ...(stopped.length > 0 ? { stopped } : {}) });
  run.stopWork(error);
}

/** Cancels the runs that the blocks of a cancelled run have called and that have not ended. */
export async function cancelCalledRuns(services: RunnerServices, run: HeldRun, options: { readonly reason?: string }): Promise<void> {
  const { state } = run.session;
  for (const unit of callersOf(state)) {
    if (isSettled(codeOf(state, unit))) continue;
    const child = await findCalled(services, run.session, unit);
    if (child) await cancelRun(services, child, options);
  }
}

/** Deletes a checkpoint. Deleting an open pause cancels the run, and with it the runs its blocks called. */
export async function forgetCheckpoint(services: RunnerServices, run: HeldRun, place: CheckpointPlace): Promise<void> {
  let waited = false;
  await recordAgain(services, run, () => {
    const { session } = run;
    const { state } = session;
    const at = session.now();
    waited = place.kind === "pause" && state.open.has(place.number) && !state.finished;
    session.record({ type: "forgotten", [place.kind]: place.number, at });
  });
  if (waited) await cancelRun(services, run, { reason: `its pause ${place.id} was deleted.` });
}

/** Records an entry for the newest state of the run; tries again where another tab or process was first. */
function recordAgain({ host }: RunnerServices, run: HeldRun, record: () => void): Promise<void> {
  const write = async (): Promise<void> => {
    // Does nothing while this executor executes the run: its session is the newest then.
    await run.update();
    record();
    await run.session.flushed();
  };
  return afterConflicts(host, write, async () => {
    await run.idle();
    await run.update();
  });
}
