import { foldRun } from "../read-run.ts";
import type { Services } from "../services.ts";
import { Session } from "../session.ts";
import type { RunState } from "../state.ts";

/** The state of a run after its first entries, whose expressions see the secrets that the run has here. Throws what folding it throws. */
export async function pastState(services: Services, run: string, entries: number): Promise<RunState> {
  const state = await foldRun(services, run, entries);
  const head = await services.store.head(run);
  return new Session(services, state, head, head ? { origin: head } : {}).state;
}
