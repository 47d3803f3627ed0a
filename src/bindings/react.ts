import { useCallback, useEffect, useMemo, useSyncExternalStore, type DetailedHTMLProps, type HTMLAttributes } from "react";
import type { ElementListeners, ElementProps } from "../browser/elements/template-types.ts";
import type { Executor, Run } from "../core/run/run.ts";
import type { Pause } from "../core/model/run.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import type { Workflow } from "../core/model/workflow.ts";
import { type Source, type UsedPause, followPause } from "./follow-pause.ts";
import { followWizard, type WizardOf } from "./follow-wizard.ts";
import { LOADING, type UsedWizard } from "./shared-wizard.ts";
import type { WizardOptions } from "./wizard-run.ts";

/** The view of a run; the component is drawn again after each change. Without a run, which may come later, there is no view. */
export function useRun<Outputs = Values, Asks = Pause>(run: Run<Outputs, Asks>): RunView<Outputs, Asks>;
export function useRun<Outputs = Values, Asks = Pause>(run: Run<Outputs, Asks> | undefined): RunView<Outputs, Asks> | undefined;
export function useRun<Outputs = Values, Asks = Pause>(run: Run<Outputs, Asks> | undefined): RunView<Outputs, Asks> | undefined {
  return useSource<RunView<Outputs, Asks> | undefined>(run ?? NO_RUN);
}

const NO_RUN: Source<undefined> = { getSnapshot: () => undefined, subscribe: () => () => {} };

/**
 * The run of a wizard with its question. Opens and continues the stored run with this id, else starts one, and follows it. The same id is the same run, also
 * under `StrictMode` and after a reload. Another `executor` or `id` opens another run. Another `workflow` or other inputs alone do not, but `retry()` uses
 * the current ones.
 */
export function useWizard<W extends Workflow | string>(executor: Executor, workflow: W, options: WizardOptions<W>): WizardOf<W> {
  // The workflow and the inputs are of a run that is started, and written anew with each drawing.
  const source = useMemo(() => followWizard(executor, workflow, options), [executor, options.id]);
  useEffect(() => source.give(workflow, options));
  // A part of a server's page may be taken over when the wizard has a run for other parts already.
  return useSource(source as Source<WizardOf<W>>, LOADING);
}

/**
 * A question of a run: the one with this id, else the first open one, until it no longer waits or Back opens another. All components that use the same
 * question of the same run share its state.
 */
export function usePause(run: Run, pause?: string): UsedPause {
  return useSource(useMemo(() => followPause(run, pause), [run, pause]));
}

/** `onServer` is what a server's page shows, where that is not the state as it stands. */
function useSource<State>(source: Source<State>, onServer?: State): State {
  const getSnapshot = (): State => source.getSnapshot();
  return useSyncExternalStore(
    useCallback((listener) => source.subscribe(listener), [source]),
    getSnapshot,
    onServer === undefined ? getSnapshot : () => onServer,
  );
}

export type { UsedPause, UsedWizard, WizardOf, WizardOptions };

/** The elements as React 19 takes them: properties, and listeners as `onwavepoint-run-changed`. */
type JsxElements = {
  readonly [Name in keyof ElementProps]: DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> &
    ElementProps[Name] &
    ElementListeners<"on-event">;
};

declare module "react" {
  // React keeps the names of elements there.
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements extends JsxElements {}
  }
}
