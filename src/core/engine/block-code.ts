/** Codes of block states, small enough for a byte array: a run may have 100,000 blocks. */
export const PENDING = 0;
export const COMPLETED = 1;
export const FAILED = 2;
export const SKIPPED_BLOCK = 3;
export const PAUSED = 4;
export const STOPPED = 5;
