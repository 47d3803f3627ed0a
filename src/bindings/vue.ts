import {
  getCurrentInstance,
  onMounted,
  shallowRef,
  toValue,
  watchSyncEffect,
  type HTMLAttributes,
  type MaybeRefOrGetter,
  type ShallowRef,
} from "vue";
import type { ElementListeners, ElementProps } from "../browser/elements/template-types.ts";
import type { WavepointElements } from "../browser/elements/index.ts";
import type { Executor, Run } from "../core/run/run.ts";
import type { Pause } from "../core/model/run.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import type { Workflow } from "../core/model/workflow.ts";
import { type Source, type UsedPause, followPause } from "./follow-pause.ts";
import { followWizard, type WizardOf } from "./follow-wizard.ts";
import { LOADING, NO_WIZARD, type UsedWizard } from "./shared-wizard.ts";
import type { WizardOptions } from "./wizard-run.ts";

/** The view of a run, until the component or scope ends. */
export function useRun<Outputs = Values, Asks = Pause>(
  run: MaybeRefOrGetter<Run<Outputs, Asks>>,
): Readonly<ShallowRef<RunView<Outputs, Asks>>> {
  return useSource(run);
}

/**
 * A question of a run: the one with this id, else the first open one, until it no longer waits or Back opens another. All components that use the same
 * question of the same run share its state.
 */
export function usePause(run: MaybeRefOrGetter<Run>, pause?: MaybeRefOrGetter<string | undefined>): Readonly<ShallowRef<UsedPause>> {
  return useSource(() => followPause(toValue(run), toValue(pause)));
}

/**
 * The run of a wizard with its question, once the component is mounted; in an effect scope, at once. Opens and continues the stored run with this id, else
 * starts one, and follows it. The same id is the same run, also after a reload; another id opens another run at once. Other inputs alone do not, but
 * `retry()` uses the current ones.
 */
export function useWizard<W extends Workflow | string>(
  executor: Executor,
  workflow: W,
  options: MaybeRefOrGetter<WizardOptions<W>>,
): Readonly<ShallowRef<WizardOf<W>>> {
  const isInComponent = getCurrentInstance() !== null;
  const isMounted = shallowRef(!isInComponent && typeof document !== "undefined");
  if (isInComponent) onMounted(() => (isMounted.value = true));
  return useSource(() => {
    // What is wrong with the options is thrown before, on a server too.
    const wizard = followWizard(executor, workflow, toValue(options));
    return (isMounted.value ? wizard : NO_WIZARD) as Source<WizardOf<W>>;
  }, LOADING);
}

/** Follows one thing, and another one at once, so that nothing is drawn of what was left. */
function useSource<State>(source: MaybeRefOrGetter<Source<State>>, first?: State): Readonly<ShallowRef<State>> {
  const state = shallowRef(first) as ShallowRef<State>;
  // Where a page is rendered on a server, a synchronous one is ended with it.
  watchSyncEffect((onCleanup) => {
    const followed = toValue(source);
    onCleanup(followed.subscribe(() => (state.value = followed.getSnapshot())));
  });
  return state;
}

export type { UsedPause, UsedWizard, WizardOf, WizardOptions };

/** The elements as templates of Vue take them: `:run`, `@wavepoint-run-changed`. */
type VueElements = {
  readonly [Name in keyof ElementProps]: new () => WavepointElements[Name] & {
    readonly $props: HTMLAttributes & ElementProps[Name] & ElementListeners<"onEvent">;
  };
};

declare module "vue" {
  interface GlobalComponents extends VueElements {}
}
