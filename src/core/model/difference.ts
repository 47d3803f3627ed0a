import type { Value } from "./value.ts";

/** What is different at a second checkpoint. */
export interface CheckpointDifference {
  readonly from: string;
  readonly to: string;
  /** Inputs of the run. */
  readonly inputs: readonly ValueDifference[];
  /** Answers, by the path of the question. */
  readonly answers: readonly ValueDifference[];
  readonly blocks: readonly BlockDifference[];
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

/** What came out otherwise of one block. */
export interface BlockDifference {
  readonly block: string;
  /** Status on each side; absent where the definition there has no such block. */
  readonly before?: string;
  readonly after?: string;
  readonly outputs: readonly ValueDifference[];
}
