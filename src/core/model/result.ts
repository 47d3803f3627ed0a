import type { CausedError } from "./errors.ts";
import type { Pause, PauseReason } from "./run.ts";
import type { Values } from "./value.ts";

/** What a run took so far, in figures. */
export interface ResultMetadata {
  /** From the start of the run to its newest record, waiting included; as `${metadata.execution_time_seconds}` has it. */
  readonly executionTimeSeconds: number;
  /** How many waves the plan has. */
  readonly executionWaves: number;
  /** How many blocks the run has, those that it added included. */
  readonly totalBlocks: number;
  /** How many of them completed. */
  readonly completed: number;
  /** How many failed, where the run went on after that included. */
  readonly failed: number;
  /** How many were skipped. */
  readonly skipped: number;
}

/** How a run stands once nothing of it is executing. What a workflow does is a value; only misuse and broken infrastructure throw. */
export type RunResult<Outputs = Values, Asks = Pause> = {
  /** Set where another definition of the workflow is loaded than the one the run goes on with. */
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
      /** Absent where the run refused what it was asked, and nothing has changed. */
      readonly metadata?: ResultMetadata;
      readonly outputs?: never;
      readonly pauses?: never;
      readonly reason?: never;
    }
  | {
      readonly status: "paused";
      readonly run: string;
      /** Set where the run was stopped for now: answers are kept, and it goes on when it is resumed. */
      readonly reason?: PauseReason;
      readonly pauses: readonly Asks[];
      readonly metadata?: ResultMetadata;
      readonly outputs?: never;
      readonly error?: never;
    }
);
