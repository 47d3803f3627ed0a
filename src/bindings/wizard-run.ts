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

/** The run of a wizard: the stored one of this id, which goes on, else a new one. */
export function openWizard<W extends Workflow | string>(executor: Executor, workflow: W, options: WizardOptions<W>): Promise<Run> {
  // What inputs they are is known to the caller alone.
  const { inputs, ...rest } = options as WizardOptions;
  // By name or as a definition: the same call for both of its forms.
  return executor.start(workflow as string, inputs, { ...rest, ifExists: "resume" });
}
