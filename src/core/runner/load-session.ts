import { findBar } from "./find-bar.ts";
import { foldRun, Session } from "../journal/journal.ts";
import type { RunnerServices } from "./services.ts";
import type { FoldedRun } from "../machine/machine.ts";

/** Folds a stored run. Nothing where there is no such run; throws `RUN_CORRUPT` or `SCHEMA_VERSION_UNSUPPORTED` for what cannot be read. */
export async function loadSession(services: RunnerServices, id: string): Promise<Session | undefined> {
  const head = await services.store.head(id);
  if (!head) return undefined;
  let run: FoldedRun;
  try {
    run = await foldRun(services, id, head.entries);
  } catch (error) {
    // Others may have written meanwhile, and dropped what the head told of.
    const now = await services.store.head(id);
    if (now?.revision === head.revision && now.epoch === head.epoch) throw error;
    return loadSession(services, id);
  }
  run.base = head.base ?? 0;
  const { state } = run;
  const session = new Session(services, run, head, { origin: head });
  if (head.imported || state.transferredTo !== undefined) session.barred = await findBar(services, session);
  return session;
}
