import type { Store } from "wavepoint";

/** Data that several stores stand on, as tabs or processes do. */
export interface Place {
  /** Opens one more store over the data. */
  open(): Store;
  remove(): Promise<void>;
}
