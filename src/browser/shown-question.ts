import type { Pause } from "../core/model/run.ts";

/** Which question of a run a page shows that shows one at a time. */
export interface ShownQuestion {
  /**
   * Of the questions that wait: one that was opened again since the last look, by Back or a changed answer; else one that was shown and waits
   * again, since its answer was not kept; else the one that was shown, as long as it waits; else the first.
   */
  look(pauses: readonly Pause[]): Pause | undefined;
  /** Shows this one, though another one that was shown before may wait again. */
  pick(pause: string): void;
}

export function shownQuestion(): ShownQuestion {
  const known = new Set<string>();
  const gone = new Set<string>();
  let hasLooked = false;
  let shown: string | undefined;
  return {
    look(pauses) {
      const again = hasLooked ? pauses.find(({ id, earlier }) => earlier && !known.has(id)) : undefined;
      const current = pauses.find(({ id }) => id === shown);
      if (shown !== undefined && !current) gone.add(shown);
      const found = again ?? pauses.find(({ id }) => gone.has(id)) ?? current ?? pauses[0];
      if (found) gone.delete(found.id);
      for (const { id } of pauses) known.add(id);
      hasLooked = true;
      shown = found?.id ?? shown;
      return found;
    },
    pick(pause) {
      gone.clear();
      shown = pause;
    },
  };
}
