import type { HistoryRoom } from "../../run/run.ts";
import { diffCheckpoints } from "./diff-checkpoints.ts";
import { forkTree } from "./fork-tree.ts";
import { fork } from "./fork.ts";

/** Making another run of the past of one, and comparing what there is then. */
export const forks: Pick<HistoryRoom, "diffCheckpoints" | "fork" | "forkTree"> = {
  diffCheckpoints,
  fork,
  forkTree,
};
