/** What the page pretends goes wrong, so that one can see what the engine makes of it. */
export interface Faults {
  /** Every call to the store fails, as after the browser has closed the database. */
  readonly lost: boolean;
  /** The store takes nothing more, as when the disk or the quota is full. */
  readonly full: boolean;
  /** Each write takes {@link SLOW_WRITE_MS} longer. */
  readonly slow: boolean;
  /** Requests of blocks fail, as without a network. */
  readonly offline: boolean;
}

export const NO_FAULTS: Faults = { lost: false, full: false, slow: false, offline: false };

/** What a slow disk adds to each write, in milliseconds. */
export const SLOW_WRITE_MS = 1_500;
