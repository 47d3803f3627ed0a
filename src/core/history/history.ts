/**
 * History: earlier answers of a run. Lists them, changes one in the same run, goes back, says beforehand what a change would run again, shows
 * steps, states and checkpoints, compares them, and forks a run into a second one. Its door is `historyRoom`.
 */
import type { HistoryRoom } from "../run/run.ts";
import type { past } from "./past.ts";
import { previewRevision } from "./preview.ts";
import { goBack, reviseRun } from "./revise.ts";
import { reviewAnswers } from "./review-answers.ts";

let loaded: typeof past | undefined;

/** No run needs its past to go on: this part is loaded when it is used. */
export async function loadPast(): Promise<typeof past> {
  return (loaded ??= (await import("./past.ts")).past);
}

/** What the room gives to the executor. */
export const historyRoom: HistoryRoom = {
  goBack,
  previewRevision,
  reviewAnswers,
  reviseRun,
  contextAt: async (...given) => (await loadPast()).contextAt(...given),
  definitionAt: async (...given) => (await loadPast()).definitionAt(...given),
  describeCheckpoint: async (...given) => (await loadPast()).describeCheckpoint(...given),
  diffCheckpoints: async (...given) => (await loadPast()).diffCheckpoints(...given),
  filesAt: async (...given) => (await loadPast()).filesAt(...given),
  fork: async (...given) => (await loadPast()).fork(...given),
  forkTree: async (...given) => (await loadPast()).forkTree(...given),
  journalOf: async (...given) => (await loadPast()).journalOf(...given),
  listCheckpoints: async (...given) => (await loadPast()).listCheckpoints(...given),
  outputsAt: async (...given) => (await loadPast()).outputsAt(...given),
  readFileAt: async (...given) => (await loadPast()).readFileAt(...given),
  searchRuns: async (...given) => (await loadPast()).searchRuns(...given),
  stepsOf: async (...given) => (await loadPast()).stepsOf(...given),
};
