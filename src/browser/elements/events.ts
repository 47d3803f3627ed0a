import type { Run } from "../../core/run/run.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { RunResult } from "../../core/model/result.ts";

/** What the elements tell; all of it bubbles. */
export interface WavepointEvents {
  /** `<wavepoint-history>` has opened or forked a run, which is to be shown. */
  readonly "wavepoint-run-changed": CustomEvent<{ readonly run: Run }>;
  /** Nothing of the run executes any more: it asks, or is over. */
  readonly "wavepoint-settled": CustomEvent<{ readonly result: RunResult }>;
  /** What a changed answer would do is shown, and then no longer: a graph may mark it. */
  readonly "wavepoint-preview": CustomEvent<{ readonly preview: RevisionPreview | undefined }>;
  /** Something was thrown, or an answer came too late. */
  readonly "wavepoint-problem": CustomEvent<{ readonly error: unknown }>;
}
