import type { PastRoom } from "../run/run.ts";
import { describeCheckpoint } from "./past/describe-checkpoint.ts";
import { diffCheckpoints } from "./forks/diff-checkpoints.ts";
import { forkTree } from "./forks/fork-tree.ts";
import { fork } from "./forks/fork.ts";
import { journalOf } from "./past/journal-of.ts";
import { listCheckpoints } from "./past/list-checkpoints.ts";
import { searchRuns } from "./past/search-runs.ts";
import { contextAt, definitionAt, filesAt, outputsAt, readFileAt, stepsOf } from "./past/run-at.ts";

/** What only tools and pages about history need: looking at the past of runs, comparing it, and making another run of it. */
export const pastRoom: PastRoom = {
  contextAt,
  definitionAt,
  describeCheckpoint,
  diffCheckpoints,
  filesAt,
  fork,
  forkTree,
  journalOf,
  listCheckpoints,
  outputsAt,
  readFileAt,
  searchRuns,
  stepsOf,
};
