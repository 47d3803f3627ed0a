import { assertOptions } from "../core/model/assert-options.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { Named, OutputsOf, PausesOf } from "../core/definition/definition.ts";
import type { Executor, Run } from "../core/run/run.ts";
import type { Source } from "./follow-pause.ts";
import { LOADING, SharedWizard, type UsedWizard } from "./shared-wizard.ts";
import { openWizard, type WizardOptions } from "./wizard-run.ts";

/** The wizard of a workflow. */
export type WizardOf<W extends Workflow | string> = UsedWizard<OutputsOf<Named<W>>, PausesOf<Named<W>>>;

/** What is followed of a wizard, and what it is opened with. */
export interface WizardSource<W extends Workflow | string> extends Source<UsedWizard> {
  /** From now on it is opened, and tried again after a failure, with these. */
  give(workflow: W, options: WizardOptions<W>): void;
}

/** By their workflow and id: those that are followed, so that all who ask for the same wizard show the same state. */
const wizards = new WeakMap<Executor, Map<string, SharedWizard>>();

/**
 * Follows the run of a wizard. It is opened or started once there is a listener that stays: not while a page is drawn on a server. All that follow the
 * same wizard share its state, so it is not loading again for one that comes later, or leaves and comes back in the same turn.
 */
export function followWizard<W extends Workflow | string>(executor: Executor, workflow: W, options: WizardOptions<W>): WizardSource<W> {
  assertOptions("useWizard", options as WizardOptions, { id: true, inputs: true, channels: true, policy: true, after: true });
  // An id that two workflows want is refused to one of them. Where a definition can be started, its name may not be known yet.
  const key = `${typeof workflow === "string" ? workflow : `${workflow.name}/`}/${options.id}`;
  let open = (): Promise<Run> => openWizard(executor, workflow, options);
  let wizard = wizards.get(executor)?.get(key);

  return {
    give(newWorkflow, newOptions) {
      open = () => openWizard(executor, newWorkflow, newOptions);
    },
    // It may have been opened by another one since.
    getSnapshot: () => (wizard ??= wizards.get(executor)?.get(key))?.look() ?? LOADING,
    subscribe(listener) {
      const ofExecutor = wizards.get(executor) ?? new Map<string, SharedWizard>();
      wizards.set(executor, ofExecutor);
      wizard = ofExecutor.get(key) ?? wizard ?? new SharedWizard();
      const followed = wizard;
      ofExecutor.set(key, followed);
      const leave = followed.follow(listener, () => open());
      const forget = async (): Promise<void> => {
        await followed.rest();
        if (!followed.isFollowed && ofExecutor.get(key) === followed) ofExecutor.delete(key);
      };
      return () => {
        leave();
        void forget();
      };
    },
  };
}
