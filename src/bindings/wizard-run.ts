import type { Executor, Run, StartOptions } from "../core/run/run.ts";
import { isWorkflowError } from "../core/model/errors.ts";
import type { Values } from "../core/model/value.ts";
import type { Workflow } from "../core/model/workflow.ts";

/** What a wizard's run is found by, and started with where there is none. */
export interface WizardOptions extends Omit<StartOptions, "id" | "signal"> {
  /** The name of the run, as `start` takes it: one page, one id, one run. 1 to 100 letters, digits and hyphens. */
  readonly id: string;
  /** Of a run that is started. */
  readonly inputs?: Values;
}

const opening = new WeakMap<Executor, Map<string, Promise<Run>>>();

/**
 * The run of a wizard: the stored one of this id, which goes on, else a new one. Callers that ask for the same id while it is opened get the same run,
 * so an effect that runs twice makes one.
 */
export function openWizard(executor: Executor, workflow: Workflow | string, options: WizardOptions): Promise<Run> {
  const ofExecutor = opening.get(executor) ?? new Map<string, Promise<Run>>();
  opening.set(executor, ofExecutor);
  const found = ofExecutor.get(options.id);
  if (found) return found;
  const opened = openOrStart(executor, workflow, options).finally(() => ofExecutor.delete(options.id));
  ofExecutor.set(options.id, opened);
  return opened;
}

async function openOrStart(executor: Executor, workflow: Workflow | string, { id, inputs, ...options }: WizardOptions): Promise<Run> {
  try {
    return await goOn(executor, id);
  } catch (thrown) {
    if (!isWorkflowError(thrown) || thrown.code !== "RUN_NOT_FOUND") throw thrown;
  }
  try {
    // By name or as a definition: the same call for both of its forms.
    return await executor.start(workflow as string, inputs, { ...options, id });
  } catch (thrown) {
    // Another tab started it in between.
    if (isWorkflowError(thrown) && thrown.code === "RUN_EXISTS") return goOn(executor, id);
    throw thrown;
  }
}

async function goOn(executor: Executor, id: string): Promise<Run> {
  const run = await executor.open(`run_${id}`);
  // What a reload or a crash interrupted goes on; how that ends stands in the run.
  if (run.getSnapshot().status === "running") void run.resume().catch(() => {});
  return run;
}
