import { isWorkflowError, WorkflowError } from "./errors.ts";
import { assertStoreKey } from "./ids.ts";
import type { RunView } from "./view.ts";
import type { Workflow } from "./workflow.ts";

/** What it takes of a run; executors of all places give such. */
interface Startable {
  readonly id: string;
  getSnapshot(): RunView;
  resume(): Promise<unknown>;
}

interface Wanted<Run extends Startable> {
  readonly workflow: Workflow | string;
  /** As it was chosen. */
  readonly id: string | undefined;
  open(id: string): Promise<Run>;
  start(): Promise<Run>;
}

/** The run of an id, which goes on, or a new one; see `StartOptions.ifExists`. Throws `RUN_EXISTS`, `STORE_KEY_INVALID`, and what opening and starting throw. */
export async function startOrOpen<Run extends Startable>(wanted: Wanted<Run>): Promise<Run> {
  try {
    return await goOn(wanted);
  } catch (error) {
    if (!isWorkflowError(error) || error.code !== "RUN_NOT_FOUND") throw error;
  }
  try {
    return await wanted.start();
  } catch (error) {
    // Another tab or process started it in between.
    if (isWorkflowError(error) && error.code === "RUN_EXISTS") return goOn(wanted);
    throw error;
  }
}

async function goOn<Run extends Startable>({ workflow, id, open }: Wanted<Run>): Promise<Run> {
  // An address of a called run is none that a start could choose.
  assertStoreKey(id, "The id that ifExists is about");
  const run = await open(id);
  const { status, reason, workflow: found } = run.getSnapshot();
  const name = typeof workflow === "string" ? workflow : workflow.name;
  if (found !== name) {
    const message = `Run ${run.id} is one of workflow "${found}", and not of "${name}". Choose another id.`;
    throw new WorkflowError("RUN_EXISTS", message, { details: { run: run.id } });
  }
  // What a reload or a crash interrupted goes on, and a run that waits looks at those it called: they may have gone on without it. How that ends stands in the run.
  if (status === "running" || (status === "paused" && reason === undefined)) void run.resume().catch(() => {});
  return run;
}
