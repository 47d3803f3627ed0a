/**
 * History: earlier answers of a run. Lists them, changes one in the same run, goes back, and says beforehand what a change would run again. Its door is
 * `historyRoom`. A second one, `pastRoom`, shows steps, states and checkpoints, compares them, and forks a run into a second one: no run needs its past to
 * go on, so that part is loaded when it is used.
 */
import type { HistoryRoom } from "../run/run.ts";
import { previewRevision } from "./preview.ts";
import { goBack, reviseRun } from "./revise.ts";
import { reviewAnswers } from "./review-answers.ts";

/** What the room gives to the executor. */
export const historyRoom: HistoryRoom = { goBack, previewRevision, reviewAnswers, reviseRun };
