import type { CausedError } from "./errors.ts";
import type { Pause, PauseReason } from "./run.ts";
import type { Values } from "./value.ts";

/** How a run stands once nothing of it is executing. What a workflow does is a value; only misuse and broken infrastructure throw. */
export type RunResult<Outputs = Values> = {
  /** Set where another definition of the workflow is loaded than the one the run goes on with. */
  readonly outdated?: true;
} & (
  | {
      readonly status: "success";
      readonly run: string;
      readonly outputs: Outputs;
      readonly error?: never;
      readonly pauses?: never;
      readonly reason?: never;
    }
  | {
      readonly status: "failure";
      readonly run: string;
      readonly error: CausedError;
      readonly outputs?: never;
      readonly pauses?: never;
      readonly reason?: never;
    }
  | {
      readonly status: "paused";
      readonly run: string;
      /** Set where the run was stopped for now: answers are kept, and it goes on when it is resumed. */
      readonly reason?: PauseReason;
      readonly pauses: readonly Pause[];
      readonly outputs?: never;
      readonly error?: never;
    }
);
