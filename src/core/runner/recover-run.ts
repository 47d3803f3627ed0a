import type { Session } from "../journal/journal.ts";
import { unitsInFlight } from "../machine/machine.ts";

/**
 * Records that blocks are executed again which may have been executing when the run was left: their attempts continue to count, after
 * another crash too. Resolves once that is stored, before any of them begins; a runner that lost the run to another one learns so here.
 */
export async function recoverRun(session: Session): Promise<void> {
  const { state, foundAt: at } = session;
  session.foundAt = undefined;
  if (at === undefined || state.finished || unitsInFlight(session, at).length === 0) return;
  session.record({ type: "recovered", at });
  await session.flushed();
}
