import type { Executor, Run, RunHead } from "wavepoint";
import { askFirst } from "../parts/ask-first.ts";
import { saveRunFile } from "../run-files.ts";
import { titleOf } from "../wording.ts";

/** What people do with runs. The page says what goes wrong, and nothing throws. */
export interface RunActions {
  /** Does something that may throw; gives nothing where it did. */
  attempt<T>(act: () => Promise<T>): Promise<T | undefined>;
  /** Saves a run as a file. */
  save(run: Run): Promise<void>;
  /** Takes in a run from such a file, and shows it. */
  takeIn(file: File): Promise<void>;
  /** Cancels a run, once the person is sure. */
  cancel(run: Run): Promise<void>;
  /** Deletes a run, once the person is sure. */
  remove(run: Pick<RunHead, "id" | "workflow">): Promise<void>;
}

interface RunActionsOptions {
  readonly executor: Executor;
  /** Shows another page where the run is open, and gives it. */
  close(run: string): Run | undefined;
  /** Shows the page of a run. */
  show(run: Run): void;
  /** Something was done, or tried. */
  onDone(): void;
  onProblem(thrown: unknown): void;
}

export function createRunActions({ executor, close, show, onDone, onProblem }: RunActionsOptions): RunActions {
  return {
    attempt,
    async save(run) {
      const text = await attempt(() => executor.runs.export(run.id, { drafts: true }));
      if (text !== undefined) saveRunFile(run.id, text);
    },
    async takeIn(file) {
      const run = await attempt(async () => executor.runs.import(await file.text()));
      if (run) show(run);
    },
    async cancel(run) {
      const sure = await askFirst({
        title: "Cancel this run?",
        text: `${titleOf(run.getSnapshot().workflow)} ends here. What it has done stays in its journal, and it cannot go on.`,
        action: "Cancel run",
      });
      if (sure) await attempt(() => run.cancel());
    },
    async remove({ id, workflow }) {
      const sure = await askFirst({
        title: "Delete this run?",
        text: `${titleOf(workflow)}, with its answers, outputs and checkpoints. This cannot be undone.`,
        action: "Delete run",
      });
      if (!sure) return;
      await attempt(async () => {
        // A run that executes cannot be deleted; stop it first.
        await close(id)?.cancel();
        await executor.runs.delete(id);
      });
    },
  };

  async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (thrown) {
      onProblem(thrown);
      return undefined;
    } finally {
      onDone();
    }
  }
}
