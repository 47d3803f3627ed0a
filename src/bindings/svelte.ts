import type { HTMLAttributes } from "svelte/elements";
import type { ElementListeners, ElementProps } from "../browser/elements/template-types.ts";
import type { Run } from "../core/run/run.ts";
import { followPause, type UsedPause } from "./follow-pause.ts";

/** A question of a run as a Svelte store. */
export interface PauseStore {
  subscribe(set: (used: UsedPause) => void): () => void;
}

/**
 * A question of a run: the one with this id, else the first that is open, and that one until it no longer waits or Back opens another. All stores of the same question of
 * the same run share its state. A run needs no such function: it is a store itself, `$run.status`.
 */
export function pauseStore(run: Run, pause?: string): PauseStore {
  const source = followPause(run, pause);
  return {
    subscribe(set) {
      let shown: UsedPause | undefined;
      return source.subscribe(() => {
        const now = source.getSnapshot();
        if (now !== shown) set((shown = now));
      });
    },
  };
}

export type { UsedPause };

/** The elements as Svelte 5 takes them: properties, and listeners as `onwavepoint-run-changed`. */
type SvelteElements = {
  readonly [Name in keyof ElementProps]: HTMLAttributes<HTMLElement> & ElementProps[Name] & ElementListeners<"on-event">;
};

declare module "svelte/elements" {
  interface SvelteHTMLElements extends SvelteElements {}
}
