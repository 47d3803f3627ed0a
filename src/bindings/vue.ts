import { computed, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter, type ShallowRef } from "vue";
import type { Executor, Run } from "../core/engine/face.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import { followOpening, type OpenedRun } from "./follow-opening.ts";
import { followPause, type UsedPause } from "./follow-pause.ts";
import type { Source } from "./source.ts";

/** The run as it stands, until the component or scope ends. */
export function useRun<Outputs = Values>(run: MaybeRefOrGetter<Run<Outputs>>): Readonly<ShallowRef<RunView<Outputs>>> {
  return useSource(() => toValue(run));
}

/** A question as refs, and what can be done about it. */
export type PauseRefs = {
  readonly [Part in keyof UsedPause]: UsedPause[Part] extends (...given: never) => unknown ? UsedPause[Part] : ComputedRef<UsedPause[Part]>;
};

/**
 * A question of a run: the one with this id, else the first that is open, and that one until it is answered. All components that use the same
 * question of the same run share its state.
 */
export function usePause(run: MaybeRefOrGetter<Run>, pause?: MaybeRefOrGetter<string | undefined>): PauseRefs {
  const used = useSource(() => followPause(toValue(run), toValue(pause)));
  const parts = Object.entries(used.value).map(([name, value]) => {
    const read = (): unknown => used.value[name as keyof UsedPause];
    // What is done is done to the question that is shown by then.
    return [name, typeof value === "function" ? (...given: unknown[]) => (read() as typeof value)(...given) : computed(read)];
  });
  return Object.fromEntries(parts) as PauseRefs;
}

/** A stored run: nothing while it is being opened, then the run or why it could not be. Nothing executes until `resume` or `answer`. */
export function useOpenRun(executor: Executor, id: MaybeRefOrGetter<string>): Readonly<ShallowRef<OpenedRun>> {
  return useSource(() => followOpening(executor, toValue(id)));
}

/** Follows what the function gives, at once, so that nothing is drawn of what was left. */
function useSource<State>(source: () => Source<State>): Readonly<ShallowRef<State>> {
  const state = shallowRef() as ShallowRef<State>;
  watch(
    source,
    (followed, _, onCleanup) => {
      const read = (): void => {
        state.value = followed.getSnapshot();
      };
      read();
      onCleanup(followed.subscribe(read));
    },
    // Where a page is rendered on a server, a synchronous one is ended with it.
    { immediate: true, flush: "sync" },
  );
  return state;
}

export type { OpenedRun, UsedPause };
