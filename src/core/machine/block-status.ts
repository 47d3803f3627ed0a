/** Codes of the states of blocks and items, small enough for a byte array: a run may have 100,000 blocks. */
export const PENDING = 0;
export const COMPLETED = 1;
export const FAILED = 2;
export const SKIPPED_BLOCK = 3;
export const PAUSED = 4;
export const STOPPED = 5;
/** Continues at an instant. */
export const WAITING = 6;
/** A block with `for_each` whose items have begun and not all settled. */
export const OPENED = 7;

/** The name of each state, by its code. */
export const STATUS_NAMES = ["pending", "completed", "failed", "skipped", "paused", "stopped", "waiting", "running"] as const;

/** Nothing of the block has happened. */
export const UNTOUCHED = 0;
/** It has begun: it has items, asks, waits, repeats or called a workflow, or its failure is about to end the run. */
export const UNDER_WAY = 1;
/** It has its final record, and blocks that depend on it may run. */
export const SETTLED = 2;

export function isSettled(code: number): boolean {
  return code === COMPLETED || code === FAILED || code === SKIPPED_BLOCK;
}
