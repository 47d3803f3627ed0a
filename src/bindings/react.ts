import { useMemo, useSyncExternalStore } from "react";
import type { Executor, Run } from "../core/engine/face.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import { followOpening, type OpenedRun } from "./follow-opening.ts";
import { followPause, type UsedPause } from "./follow-pause.ts";
import type { Source } from "./source.ts";

/** The run as it stands; the component is drawn again after each change. */
export function useRun<Outputs = Values>(run: Run<Outputs>): RunView<Outputs> {
  return useSource((followed) => followed, run, undefined);
}

/**
 * A question of a run: the one with this id, else the first that is open, and that one until it is answered. All components that use the same
 * question of the same run share its state.
 */
export function usePause(run: Run, pause?: string): UsedPause {
  return useSource(followPause, run, pause);
}

/** A stored run: nothing while it is being opened, then the run or why it could not be. Nothing executes until `resume` or `answer`. */
export function useOpenRun(executor: Executor, id: string): OpenedRun {
  return useSource(followOpening, executor, id);
}

/** Follows what is made of two things, until one of them is another one. */
function useSource<Of, By, State>(make: (of: Of, by: By) => Source<State>, of: Of, by: By): State {
  const [subscribe, getSnapshot] = useMemo(() => {
    const source = make(of, by);
    return [(listener: () => void) => source.subscribe(listener), () => source.getSnapshot()] as const;
  }, [of, by]);
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}

export type { OpenedRun, UsedPause };
