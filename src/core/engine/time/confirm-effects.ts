import { afterConflicts } from "../after-conflicts.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";

/** Lets blocks that must not run twice run again, in a run that revises another one and in those it called. */
export function confirmEffects(services: Services, run: LiveRun): Promise<void> {
  return afterConflicts(
    () => confirm(services, run),
    () => run.update(),
  );
}

async function confirm(services: Services, run: LiveRun): Promise<void> {
  if (!run.active) await run.update();
  const { session } = run;
  const { state } = session;
  for (const unit of state.callers.values()) {
    const called = await services.find(await run.childId(unit));
    if (called) await confirmEffects(services, called);
  }
  const { revises, finished } = state;
  if (!revises || revises.confirmed || (finished && finished.status !== "failed")) return;
  await services.guard?.secure(session);
  if (finished) session.record({ type: "resumed", at: session.now() });
  const { place: _, ...revision } = revises;
  session.record({ type: "revises", ...revision, confirmed: true, at: session.now() });
  await session.flushed();
}
