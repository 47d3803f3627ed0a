import { foldRun } from "../journal/journal.ts";
import type { FoldedRun } from "../machine/machine.ts";
import type { OpenRun, Services } from "../run/run.ts";

/** A run as its journal has it, entry by entry. */
export async function storedRun(services: Services, run: OpenRun): Promise<FoldedRun> {
  if (run.active) await run.session.flushed();
  else await run.update();
  const { session } = run;
  return session.isFaithful || !session.head ? session.folded : foldRun(services, run.id, session.head.entries);
}
