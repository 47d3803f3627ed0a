import type { RunStatus } from "./run.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Value, Values } from "./value.ts";

/** One line of a review page: a question of a run and what became of it. */
export interface ReviewItem {
  readonly block: string;
  /** The blocks from the outermost run down to the one that asks; the block alone where it has not asked yet. */
  readonly path: readonly string[];
  readonly type: string;
  /**
   * `answered`; `open`: it waits for an answer; `declined`: the person declined or skipped it; `expired`: no answer came in time, or before an event
   * ended it; `skipped`: the run went another way; `pending`: it may still be asked.
   */
  readonly status: "answered" | "open" | "declined" | "expired" | "skipped" | "pending";
  /** The id of the pause, for `revise`; absent until it was asked. */
  readonly pause?: string;
  /** A heading for the question. */
  readonly title?: string;
  readonly prompt?: string;
  readonly schema?: JsonSchema;
  /** Set where the answer is private: pages do not show it. */
  readonly sensitive?: true;
  /** What the block noted with the question. Pages may use it to draw a better form. */
  readonly metadata?: Values;
  readonly answer?: Value;
  readonly answeredAt?: number;
}

/** A run and the runs that were forked from it, newest last. */
export interface RunTree {
  readonly run: string;
  readonly workflow: string;
  /** `deleted`: the run is gone and only its forks are left. */
  readonly status: RunStatus | "deleted";
  readonly createdAt: number;
  /** The checkpoint of the parent that it was forked at; absent at the root. */
  readonly checkpoint?: string;
  readonly forks: readonly RunTree[];
}

/** What a revision would do. Blocks are named by their path: `trip/date` is in the run that `trip` called. */
export interface RevisionPreview {
  /** Blocks whose steps are kept. */
  readonly kept: readonly string[];
  /** Blocks whose questions would be asked again, or for the first time. */
  readonly asked: readonly string[];
  /** Blocks that would run again, or for the first time, those that ask included. */
  readonly rerun: readonly string[];
  /** Those of `rerun` that change something outside of the run, or call a workflow that may. */
  readonly effects: readonly string[];
  /** Those of `rerun` that must not run twice and have run. Each asks before it runs again with other inputs. */
  readonly once: readonly string[];
  /** Blocks that ran and would be skipped. */
  readonly skipped: readonly string[];
  /** Those of `skipped` that must not run twice and have run: what they did is not undone. */
  readonly leftDone: readonly string[];
  /** Those of `rerun` or `asked` for which this shows only when the run gets there, since what they depend on is not known yet. */
  readonly uncertain: readonly string[];
}

/** What is different at a second checkpoint. */
export interface CheckpointDifference {
  readonly from: string;
  readonly to: string;
  /** Inputs of the run. */
  readonly inputs: readonly ValueDifference[];
  /** Answers, by the path of the question. */
  readonly answers: readonly ValueDifference[];
  readonly blocks: readonly BlockDifference[];
  /** What channels hold, by name; absent where the workflow has none. */
  readonly channels?: readonly ValueDifference[];
  /** Set where there are more than the 1,000 differences that are listed. */
  readonly truncated?: true;
}

/** A value that is on one side only, or differs. */
export interface ValueDifference {
  /** As expressions write it: `name.list[2]`. */
  readonly path: string;
  readonly before?: Value;
  readonly after?: Value;
}

/** How the results of one block differ. */
export interface BlockDifference {
  readonly block: string;
  /** Status on each side; absent where the definition there has no such block. */
  readonly before?: string;
  readonly after?: string;
  readonly outputs: readonly ValueDifference[];
}
