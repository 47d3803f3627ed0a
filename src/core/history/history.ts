import type { HistoryRoom } from "../run/run.ts";
import { diffCheckpoints } from "./diff-checkpoints.ts";
import { forkTree } from "./fork-tree.ts";
import { fork, resumeFork } from "./fork.ts";
import { previewRevision } from "./preview.ts";
import { goBack, reviseRun } from "./revise.ts";
import { reviewAnswers } from "./review-answers.ts";

/** Looking at the past of a run, changing an answer, going back, and making another run of it. */
export const historyRoom: HistoryRoom = { diffCheckpoints, fork, forkTree, goBack, previewRevision, resumeFork, reviewAnswers, reviseRun };
