import { useCallback, useMemo, useSyncExternalStore, type DetailedHTMLProps, type HTMLAttributes } from "react";
import type { ElementListeners, ElementProps } from "../browser/elements/in-templates.ts";
import type { Run } from "../core/engine/face.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import { followPause, type UsedPause } from "./follow-pause.ts";
import type { Source } from "./source.ts";

/** The run as it stands; the component is drawn again after each change. */
export function useRun<Outputs = Values>(run: Run<Outputs>): RunView<Outputs> {
  return useSource(run);
}

/**
 * A question of a run: the one with this id, else the first that is open, and that one until it is answered. All components that use the same
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

export type { UsedPause };

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
