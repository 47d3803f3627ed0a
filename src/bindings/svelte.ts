import type { HTMLAttributes } from "svelte/elements";
import type { ElementListeners, ElementProps } from "../browser/elements/template-types.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { Executor, Run } from "../core/run/run.ts";
import { followWizard, type WizardOf } from "./follow-wizard.ts";
import { NO_WIZARD, type UsedWizard } from "./shared-wizard.ts";
import type { WizardOptions } from "./wizard-run.ts";
import { followPause, type Source, type UsedPause } from "./follow-pause.ts";

/** Something of a run as a Svelte store. */
export interface Followed<State> {
  subscribe(set: (state: State) => void): () => void;
}

/** A question of a run as a Svelte store. */
export type PauseStore = Followed<UsedPause>;

/**
 * A question of a run: the one with this id, else the first open one, until it no longer waits or Back opens another. All stores of the same question of the
 * same run share its state. A run needs no such function: it is a store itself, `$run.status`.
 */
export function pauseStore(run: Run, pause?: string): PauseStore {
  return storeOf(followPause(run, pause));
}

/**
 * The run of a wizard with its question. Opens and continues the stored run with this id, else starts one, and follows it. The same id is the same run, also
 * after a reload. Opens nothing before something subscribes, nor for a page that is drawn on a server.
 */
export function wizardStore<W extends Workflow | string>(
  executor: Executor,
  workflow: W,
  options: WizardOptions<W>,
): Followed<WizardOf<W>> {
  const wizard = followWizard(executor, workflow, options);
  // A page that is drawn on a server may wait for data, and leaves what it follows only after that.
  return storeOf((typeof document === "undefined" ? NO_WIZARD : wizard) as Source<WizardOf<W>>);
}

/** Sets each state once. */
function storeOf<State>(source: Source<State>): Followed<State> {
  return {
    subscribe(set) {
      let shown: State | undefined;
      return source.subscribe(() => {
        const now = source.getSnapshot();
        if (now !== shown) set((shown = now));
      });
    },
  };
}

export type { UsedPause, UsedWizard, WizardOf, WizardOptions };

/** The elements as Svelte 5 takes them: properties, and listeners as `onwavepoint-run-changed`. */
type SvelteElements = {
  readonly [Name in keyof ElementProps]: HTMLAttributes<HTMLElement> & ElementProps[Name] & ElementListeners<"on-event">;
};

declare module "svelte/elements" {
  interface SvelteHTMLElements extends SvelteElements {}
}
