import { WorkflowError } from "../model/errors.ts";
import type { RunnerServices } from "./services.ts";
import type { Session } from "../journal/journal.ts";
import type { RunState } from "../machine/machine.ts";

/** Why a run must not continue here: it was handed over, or it came in with a definition that was neither loaded nor accepted here. */
export async function findBar(services: RunnerServices, { state, compiled, origin }: Session): Promise<WorkflowError | undefined> {
  if (state.transferredTo !== undefined) return transferred(state, state.transferredTo);
  if (!origin.imported || (await isLoaded(services, compiled.workflow.name, state.definition))) return undefined;
  const { name } = compiled.workflow;
  return new WorkflowError(
    "DEFINITION_UNTRUSTED",
    `Run ${state.id} came in by import, and its definition of workflow "${name}" is not loaded here. Load that workflow, exactly as it is there, or import the run with accept: true.`,
    { details: { run: state.id, workflow: name, definition: state.definition } },
  );
}

function transferred({ id }: RunState, to: string): WorkflowError {
  return new WorkflowError(
    "RUN_TRANSFERRED",
    `Run ${id} was handed over to ${to}. Go on with it there; what is here can be read. To go on here again, import the file that came of it.`,
    { details: { run: id, to } },
  );
}

/** Whether the host has loaded the definition that the run goes on with. */
async function isLoaded(services: RunnerServices, workflow: string, definition: string): Promise<boolean> {
  try {
    return (await services.prepare(services.workflow(workflow))) === definition;
  } catch {
    // No such workflow is loaded, or none that could run.
    return false;
  }
}
