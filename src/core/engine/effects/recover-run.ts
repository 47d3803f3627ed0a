import type { Session } from "../session.ts";
import { unitsInFlight } from "./fold-began.ts";

/**
 * Notes that blocks are executed again which somebody may have been executing when the run was left: their attempts go on counting, after
 * another crash too. Resolves once that is stored, before any of them begins; a runner that was overtaken learns so here.
 */
export async function recoverRun(session: Session): Promise<void> {
  const { state, foundAt: at } = session;
  session.foundAt = undefined;
  if (at === undefined || state.finished || unitsInFlight(state, at).length === 0) return;
  session.record({ type: "recovered", at });
  await session.flushed();
}
