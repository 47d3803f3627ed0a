import type { Run } from "../../core/run/run.ts";
import type { RunResult } from "../../core/model/result.ts";

/** What the elements tell; all of it bubbles. */
export interface WavepointEvents {
  /** `<wavepoint-history>` has opened or forked a run, which is to be shown. */
  readonly "wavepoint-run-changed": CustomEvent<{ readonly run: Run }>;
  /** Nothing of the run executes any more: it asks, or is over. */
  readonly "wavepoint-settled": CustomEvent<{ readonly result: RunResult }>;
  /** Something was thrown, or an answer came too late. */
  readonly "wavepoint-problem": CustomEvent<{ readonly error: unknown }>;
}
