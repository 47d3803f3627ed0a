import { useCallback, useEffect, useMemo, useState, useSyncExternalStore, type DetailedHTMLProps, type HTMLAttributes } from "react";
import type { ElementListeners, ElementProps } from "../browser/elements/template-types.ts";
import type { Executor, Run } from "../core/run/run.ts";
import { errorData, type ErrorData } from "../core/model/errors.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import type { Workflow } from "../core/model/workflow.ts";
import { type Source, type UsedPause, followPause } from "./follow-pause.ts";
import { assertOptions } from "../core/model/assert-options.ts";
import { openWizard, type WizardOptions } from "./wizard-run.ts";

/** The run as it stands; the component is drawn again after each change. Without a run, which may come later, there is no view either. */
export function useRun<Outputs = Values>(run: Run<Outputs>): RunView<Outputs>;
export function useRun<Outputs = Values>(run: Run<Outputs> | undefined): RunView<Outputs> | undefined;
export function useRun<Outputs = Values>(run: Run<Outputs> | undefined): RunView<Outputs> | undefined {
  return useSource<RunView<Outputs> | undefined>(run ?? NO_RUN);
}

const NO_RUN: Source<undefined> = { getSnapshot: () => undefined, subscribe: () => () => {} };

/** A run that is loaded, started or opened, and then followed. */
export interface UsedWizard {
  /** Absent until it is opened or started. */
  readonly run: Run | undefined;
  /** The run as it stands. */
  readonly view: RunView | undefined;
  /** Why it could not be opened or started. */
  readonly error: ErrorData | undefined;
}

/**
 * The run of a wizard: opens the stored one of this id, which goes on, else starts one, and follows it. The same id is the same run, under
 * `StrictMode` and after a reload too. Another `executor` or `id` opens another run; a change of `workflow` or of the inputs alone does not.
 */
export function useWizard(executor: Executor, workflow: Workflow | string, options: WizardOptions): UsedWizard {
  assertOptions("useWizard", options, { id: true, inputs: true, channels: true, policy: true, after: true });
  const { id } = options;
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    let isLeft = false;
    const set = (result: Pick<Opened, "run" | "error">): void => {
      if (!isLeft) setOpened({ executor, id, ...result });
    };
    openWizard(executor, workflow, options).then(
      (run) => set({ run }),
      (thrown: unknown) => set({ error: errorData(thrown, "STORE_FAILED") }),
    );
    return () => {
      isLeft = true;
    };
    // The workflow and the inputs are of a run that is started, and written anew with each drawing.
  }, [executor, id]);
  // What was opened for another id is not shown.
  const current = opened?.executor === executor && opened.id === id ? opened : undefined;
  return { run: current?.run, view: useRun(current?.run), error: current?.error };
}

interface Opened {
  readonly executor: Executor;
  readonly id: string;
  readonly run?: Run;
  readonly error?: ErrorData;
}

/**
 * A question of a run: the one with this id, else the first that is open, and that one until it no longer waits or Back opens another. All components that use the same
 * question of the same run share its state.
 */
export function usePause(run: Run, pause?: string): UsedPause {
  return useSource(useMemo(() => followPause(run, pause), [run, pause]));
}

function useSource<State>(source: Source<State>): State {
  const getSnapshot = (): State => source.getSnapshot();
  return useSyncExternalStore(
    useCallback((listener) => source.subscribe(listener), [source]),
    getSnapshot,
    getSnapshot,
  );
}

export type { UsedPause, WizardOptions };

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
