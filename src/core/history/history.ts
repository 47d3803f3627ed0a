/**
 * History: earlier answers of a run. Lists them, changes one in the same run, goes back, says beforehand what a change would run again, compares
 * checkpoints, and forks a run into a second one. Its door is `historyRoom`.
 */
import type { HistoryRoom } from "../run/run.ts";
import type { forks } from "./forks/forks.ts";
import { previewRevision } from "./preview.ts";
import { goBack, reviseRun } from "./revise.ts";
import { reviewAnswers } from "./review-answers.ts";

let loaded: typeof forks | undefined;

/** No run needs another one to go on: this part is loaded when it is used. */
export async function loadForks(): Promise<typeof forks> {
  return (loaded ??= (await import("./forks/forks.ts")).forks);
}

/** What the room gives to the executor. */
export const historyRoom: HistoryRoom = {
  goBack,
  previewRevision,
  reviewAnswers,
  reviseRun,
  diffCheckpoints: async (...given) => (await loadForks()).diffCheckpoints(...given),
  fork: async (...given) => (await loadForks()).fork(...given),
  forkTree: async (...given) => (await loadForks()).forkTree(...given),
};
