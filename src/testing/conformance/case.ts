import type { Store } from "../../core/ports/store.ts";

/** A place where a store under test keeps its data. */
export interface StorePlace {
  /** A store over the data of this place. Each call opens another one, as another tab or process would; a store that keeps nothing gives the same one again. */
  open(): Promise<Store>;
  /** Removes the data. All stores have been closed before. */
  dispose(): Promise<void>;
}

/** How much a run of the suite does. */
export interface ConformanceOptions {
  /** Checkpoints in the long list. Default: 2,000; the full contract is 100,000. */
  readonly scale?: number;
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
  readonly scale: number;
}

/** A demand as the parts of the suite write it: its name, and what tries it. */
export type Demand = readonly [name: string, attempt: (bench: Bench) => Promise<void>];
