import type { JsonSchema, RunStatus } from "./run.ts";
import type { Value, Values } from "./value.ts";

/** One line of a review page: a question of a run and what became of it. */
export interface ReviewItem {
  readonly block: string;
  /** The blocks from the outermost run down to the one that asks; the block alone where it has not asked yet. */
  readonly path: readonly string[];
  readonly type: string;
  /**
   * `answered`; `open`: it waits for an answer; `declined`: the person declined, or left it out; `expired`: no answer came in time;
   * `skipped`: the
   * run went another way; `pending`: it may still be asked.
   */
  readonly status: "answered" | "open" | "declined" | "expired" | "skipped" | "pending";
  /** The pause, once it was asked: what `revise` takes. */
  readonly pause?: string;
  /** A heading for the question. */
  readonly title?: string;
  readonly prompt?: string;
  readonly schema?: JsonSchema;
  /** Set where the answer is private: pages do not show it. */
  readonly sensitive?: true;
  /** What the block wanted to remember; pages may use it to draw a better form. */
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
  /** The checkpoint of the parent where it begins; absent at the root. */
  readonly checkpoint?: string;
  /** Whether the run is gone and only its forks are left. */
  readonly deleted?: true;
  readonly forks: readonly RunTree[];
}
