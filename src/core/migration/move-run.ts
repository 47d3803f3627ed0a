import { WorkflowError } from "../model/errors.ts";
import type { MovedEntry } from "../model/journal.ts";
import { afterConflicts, calledId, recoverRun } from "../runner/runner.ts";
import { holdIdle, type OpenRun, type Services } from "../run/run.ts";
import { callersOf, type FoldedRun, type Unit } from "../machine/machine.ts";
import { makeMove } from "./make-move.ts";
import { stateToMove } from "./plan-move.ts";

/**
 * Moves a run that is not being executed to the definition of its workflow that is loaded now; a run that has completed or was cancelled
 * has
 * nothing left to move. Runs that its blocks called keep the definitions they have; those of blocks that are no longer there are cancelled.
 * Throws `DEFINITION_MISMATCH` where the run cannot go on with it, `WORKFLOW_NOT_FOUND`, `RUN_ACTIVE`, and what checking a workflow throws;
 * then the run is as it was.
 */
export async function moveRun(services: Services, run: OpenRun): Promise<void> {
  const orphans = await afterConflicts(
    services.host,
    () => move(services, run),
    () => run.refresh(),
  );
  for (const id of orphans) await (await services.find(id))?.cancel({ reason: `run ${run.id} moved to another definition.` });
}

/** Gives the ids of the runs called by blocks that are no longer there. */
async function move(services: Services, run: OpenRun): Promise<readonly string[]> {
  // A run that executes is not looked at any further.
  await (
    await holdIdle(services, run)
  )();
  run.assertHere();
  const { finished, started } = run.session.state;
  if (finished && finished.status !== "failed") return [];
  const workflow = services.workflow(started.workflow);
  const ahead = await stateToMove(services, run);
  // The migrate hook may take its time. The run is not held meanwhile, so that others can go on with it.
  const entry = await makeMove(services, ahead, workflow);
  if (!entry) return [];
  const ids = new Set(workflow.blocks.map(({ id }) => id));
  const orphans = await Promise.all(lostCallers(ahead, ids).map((unit) => calledId(services, run.session, unit)));
  const release = await holdIdle(services, run);
  try {
    await record(run, ahead, entry);
    await run.reload();
    run.session.foundAt = undefined;
  } finally {
    await release();
  }
  return orphans;
}

async function record({ session }: OpenRun, ahead: FoldedRun, entry: Omit<MovedEntry, "at">): Promise<void> {
  const { state } = session;
  // An answer may have come meanwhile; one that failed is a step ahead.
  if (state.entries + (state.finished ? 1 : 0) !== ahead.state.entries)
    throw new WorkflowError("STORE_CONFLICT", "The run went on meanwhile.");
  // What may have been executing is recorded while its blocks stand where they stood then.
  if (session.foundAt !== undefined) await recoverRun(session);
  session.folded.know(entry.definition, ahead.plan.get(entry.definition)!);
  if (state.finished) session.record({ type: "resumed", at: session.now() });
  session.record({ ...entry, at: session.now() });
  await session.flushed();
}

function lostCallers({ compiled, state }: FoldedRun, ids: ReadonlySet<string>): readonly Unit[] {
  return callersOf(state).filter(({ block }) => !ids.has(compiled.plan.ids[block]!));
}
