import { Session, foldRun } from "../journal/journal.ts";
import type { RunnerServices } from "./services.ts";
import type { FoldedRun, RunState } from "../machine/machine.ts";
import { isHostError, WorkflowError } from "../model/errors.ts";

/** Folds a stored run. Nothing where there is no such run; throws `RUN_CORRUPT` or `SCHEMA_VERSION_UNSUPPORTED` for what cannot be read. */
export async function loadSession(services: RunnerServices, id: string): Promise<Session | undefined> {
  const head = await services.store.head(id);
  if (!head) return undefined;
  let run: FoldedRun;
  try {
    run = await foldRun(services, id, head.entries);
  } catch (error) {
    // Others may have written meanwhile, and dropped entries that this head counts.
    const now = await services.store.head(id);
    if (now?.revision === head.revision && now.epoch === head.epoch) throw error;
    return loadSession(services, id);
  }
  run.base = head.base ?? 0;
  const { state } = run;
  const session = new Session(services, run, head, { origin: head });
  if (head.imported || state.transferredTo !== undefined) session.unavailable = await whyUnavailable(services, session);
  return session;
}

/** Why a run must not continue here: it was transferred, or imported with a definition that is neither loaded nor accepted here. */
export async function whyUnavailable(services: RunnerServices, session: Session): Promise<WorkflowError | undefined> {
  const { state, origin } = session;
  if (state.transferredTo !== undefined) return transferred(state, state.transferredTo);
  return origin.imported ? whyUntrusted(services, session) : undefined;
}

/** Why an imported run must not continue until its definition is accepted: another definition is loaded here, or none. */
export async function whyUntrusted(
  services: RunnerServices,
  { state, compiled }: Pick<Session, "state" | "compiled">,
): Promise<WorkflowError | undefined> {
  const { name } = compiled.workflow;
  // Only the file has the blocks that were added to the run.
  const isWhole = state.added === undefined;
  if (isWhole && (await isLoaded(services, name, state.definition))) return undefined;
  return new WorkflowError(
    "DEFINITION_UNTRUSTED",
    isWhole
      ? `Run ${state.id} came in by import, and its definition of workflow "${name}" is not loaded here. Load that workflow, exactly as it is there, or import the run with accept: true.`
      : `Run ${state.id} came in by import, and its blocks had added others, which no loaded workflow has. Import it with accept: true if you trust its source.`,
    { details: { run: state.id, workflow: name, definition: state.definition } },
  );
}

function transferred({ id }: RunState, to: string): WorkflowError {
  return new WorkflowError(
    "RUN_TRANSFERRED",
    `Run ${id} was handed over to ${to}. Go on there; what is here can be read. To go on here again, import its file.`,
    { details: { run: id, to } },
  );
}

/** Whether the host has loaded the definition that the run follows. */
async function isLoaded(services: RunnerServices, workflow: string, definition: string): Promise<boolean> {
  try {
    return (await services.prepare(services.workflow(workflow))) === definition;
  } catch (error) {
    // A store that fails says nothing about what is loaded.
    if (isHostError(error)) throw error;
    // No such workflow is loaded, or none that could run.
    return false;
  }
}
