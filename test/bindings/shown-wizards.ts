import type { Executor } from "wavepoint";
import { expect } from "vitest";

/** Lets all that was begun come to its end. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
}

/** What tests of wizards ask a page, which each of them makes anew, and its executor. */
export function shownWizards(executor: () => Executor, shown: () => string | null) {
  return {
    /** Waits until the page reads so. */
    async reads(text: string): Promise<void> {
      await expect.poll(shown).toBe(text);
    },
    /** The ids of all runs there are. */
    async runs(): Promise<readonly string[]> {
      return (await executor().runs.list()).items.map(({ id }) => id).toSorted();
    },
    /** Answers the open question of a run. */
    async answer(id: string): Promise<void> {
      const run = await executor().open(id);
      await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
    },
  };
}
