import type { ErrorData } from "./errors.ts";
import type { RunStatus } from "./run.ts";

/** The figures of a store. */
export interface StoreMetrics {
  readonly runs: number;
  readonly runsByStatus: { readonly [status in RunStatus]: number };
  /** Runs that cannot be read. */
  readonly damagedRuns: number;
  readonly checkpoints: number;
  /** Checkpoints that are pauses, those after waves, and those that blocks asked for. */
  readonly pausedCheckpoints: number;
  readonly automaticCheckpoints: number;
  readonly requestedCheckpoints: number;
  readonly byWorkflow: { readonly [workflow: string]: { readonly runs: number; readonly checkpoints: number } };
  /** Checkpoints by age. */
  readonly ages: { readonly underHour: number; readonly underDay: number; readonly underWeek: number; readonly older: number };
  /** Ages of the newest and the oldest checkpoint in milliseconds; absent where there is none. */
  readonly newestAgeMs?: number;
  readonly oldestAgeMs?: number;
  /** What the store takes on its medium; absent where it cannot tell. */
  readonly bytes?: number;
}

/** What a cleanup removed. */
export interface CleanupReport {
  readonly runs: number;
  readonly checkpoints: number;
  readonly blobs: number;
  /** False where another tab or process was cleaning at the time: then nothing was done here. */
  readonly done: boolean;
}

/** The runs that `recover` found without a process that executes them. */
export interface Recovery {
  /** Those that continue here. */
  readonly runs: readonly string[];
  /** Those that cannot continue, and why. */
  readonly failed: readonly FailedRun[];
}

/** A run that something failed for, and why. */
export interface FailedRun {
  readonly run: string;
  readonly error: ErrorData;
}
