import type { CausedError } from "./errors.ts";
import type { Pause, PauseReason } from "./run.ts";
import type { Values } from "./value.ts";

/** The figures of a run so far. */
export interface ResultMetadata {
  /** From the start of the run to its newest record, waiting included: the same as `${metadata.execution_time_seconds}`. */
  readonly executionTimeSeconds: number;
  /** How many waves the plan has. */
  readonly executionWaves: number;
  /** How many blocks the run has, added ones included. */
  readonly totalBlocks: number;
  /** How many of them completed. */
  readonly completed: number;
  /** How many failed, also where the run continued after that. */
  readonly failed: number;
  /** How many were skipped. */
  readonly skipped: number;
}

/** The state of a run once nothing of it executes. What a workflow does is a value; only misuse and broken infrastructure throw. */
export type RunResult<Outputs = Values, Asks = Pause> = {
  /** Set where another definition of the workflow is loaded than the run follows. */
  readonly outdated?: true;
} & (
  | {
      readonly status: "success";
      readonly run: string;
      readonly outputs: Outputs;
      readonly metadata: ResultMetadata;
      readonly error?: never;
      readonly pauses?: never;
      readonly reason?: never;
    }
  | {
      readonly status: "failure";
      readonly run: string;
      readonly error: CausedError;
      /** Absent where a call was refused and changed nothing. */
      readonly metadata?: ResultMetadata;
      readonly outputs?: never;
      readonly pauses?: never;
      readonly reason?: never;
    }
  | {
      readonly status: "paused";
      readonly run: string;
      /** Set where the run was stopped: answers are kept, and it continues when you resume it. */
      readonly reason?: PauseReason;
      readonly pauses: readonly Asks[];
      readonly metadata?: ResultMetadata;
      readonly outputs?: never;
      readonly error?: never;
    }
);
