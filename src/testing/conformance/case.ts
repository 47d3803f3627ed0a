import type { Store } from "../../core/ports/store.ts";

/** A place where a store under test keeps its data. */
export interface StorePlace {
  /** A store over the data of this place. Each call opens another one, as another tab or process would; a store that keeps nothing gives the same one again. */
  open(): Promise<Store>;
  /** Removes the data. All stores have been closed before. */
  dispose(): Promise<void>;
  /**
   * Freezes a store that `open` gave, as a process is that was stopped: it writes nothing, renews nothing and hears nothing. Gives what lets it go on. Absent
   * where a run is never taken from a holder that lives, and where that cannot be imitated: then such takeovers are not tried.
   */
  freeze?(store: Store): Promise<() => Promise<void> | void>;
  /**
   * Claims a run in a process, or page, of its own that is killed while it holds it. Absent where there can be none, or such
   * a holder cannot be told from a frozen one: then that is not tried.
   */
  abandon?(run: string): Promise<void>;
}

/** How much a run of the suite does. */
export interface ConformanceOptions {
  /** Checkpoints in the long list. Default: 2,000; the full contract is 100,000. */
  readonly scale?: number;
  /**
   * How long the stores of this suite leave a run to a holder that gives no sign of life, in milliseconds; the suite waits for some three times that, so open them
   * with the shortest. Default: their claims do not end with time.
   */
  readonly leaseMs?: number;
  /**
   * Whether claims are tried with a wrong clock, as machines have: the suite replaces `Date.now` of this process for the time of a call. `false` where the
   * database runs in this process and has its time from there. Default: true.
   */
  readonly skewedClock?: boolean;
}

/** One demand on a store, for any test runner: it rejects with what is wrong. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What a case works with. */
export interface Bench {
  /** The store, opened. */
  readonly store: Store;
  /** One more store over the same data, closed at the end of the case. */
  another(): Promise<Store>;
  readonly freeze: StorePlace["freeze"];
  readonly abandon: StorePlace["abandon"];
  readonly leaseMs: number | undefined;
  readonly skewedClock: boolean;
  readonly scale: number;
}

/** A demand as the parts of the suite write it: its name, and what tries it. */
export type Demand = readonly [name: string, attempt: (bench: Bench) => Promise<void>];
