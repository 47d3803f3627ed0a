import type { Executor, Run, StartOptions } from "../core/run/run.ts";
import type { InputsOf, Named } from "../core/definition/definition.ts";
import type { Workflow } from "../core/model/workflow.ts";

/** What a wizard's run is found by, and started with where there is none. */
export type WizardOptions<W extends Workflow | string = string> = Omit<StartOptions, "id" | "ifExists" | "signal"> & {
  /** The name of the run, as `start` takes it: one page, one id, one run. 1 to 100 letters, digits, `_` and `-`. */
  readonly id: string;
} & (Record<never, never> extends InputsOf<Named<W>>
    ? {
        /** Of a run that is started. */
        readonly inputs?: InputsOf<Named<W>>;
      }
    : { readonly inputs: InputsOf<Named<W>> });

const opening = new WeakMap<Executor, Map<string, Promise<Run>>>();

/**
 * The run of a wizard: the stored one of this id, which goes on, else a new one. Callers that ask for the same id while it is opened get the same run,
 * so an effect that runs twice makes one.
 */
export function openWizard<W extends Workflow | string>(executor: Executor, workflow: W, options: WizardOptions<W>): Promise<Run> {
  const ofExecutor = opening.get(executor) ?? new Map<string, Promise<Run>>();
  opening.set(executor, ofExecutor);
  // An id that two workflows want is refused to one of them, as it is later.
  const key = `${typeof workflow === "string" ? workflow : workflow.name}/${options.id}`;
  const found = ofExecutor.get(key);
  if (found) return found;
  // What inputs they are is known to the caller alone.
  const { inputs, ...rest } = options as WizardOptions;
  // By name or as a definition: the same call for both of its forms.
  const started = executor.start(workflow as string, inputs, { ...rest, ifExists: "resume" });
  const opened = started.finally(() => ofExecutor.delete(key));
  ofExecutor.set(key, opened);
  return opened;
}
