/**
 * History: earlier answers of a run. Lists them, changes one in the same run, goes back, says beforehand what a change would run again, compares
 * checkpoints, and forks a run into a second one. Its door is `historyRoom`.
 */
import type { HistoryRoom } from "../run/run.ts";
import { diffCheckpoints } from "./diff-checkpoints.ts";
import { forkTree } from "./fork-tree.ts";
import { fork, resumeFork } from "./fork.ts";
import { previewRevision } from "./preview.ts";
import { goBack, reviseRun } from "./revise.ts";
import { reviewAnswers } from "./review-answers.ts";

/** What the room gives to the executor. */
export const historyRoom: HistoryRoom = { diffCheckpoints, fork, forkTree, goBack, previewRevision, resumeFork, reviewAnswers, reviseRun };
