import type { PauseSummary } from "./run.ts";

/** What a checkpoint is: made after a wave (`chk_…`), or a pause that waits or waited for an answer (`pause_…`). */
export type CheckpointKind = "wave" | "pause";

/** A row of the store's index of checkpoints: enough to list, to filter and to find the place in the journal. */
export interface CheckpointRow {
  readonly run: string;
  readonly workflow: string;
  readonly kind: CheckpointKind;
  /** The number of the wave or of the pause inside its run; with the run it makes the id. */
  readonly number: number;
  readonly createdAt: number;
  /** How many entries of the journal belong to the state at this checkpoint. */
  readonly entries: number;
  /** What a store with a key keeps about the row, so that changes to it are seen. */
  readonly sealed?: string;
}

/** One line of a list of checkpoints. */
export interface CheckpointSummary {
  readonly id: string;
  readonly run: string;
  readonly workflow: string;
  readonly kind: CheckpointKind;
  readonly createdAt: number;
}

/** The state at a checkpoint, as a view of the journal. */
export interface CheckpointInfo extends CheckpointSummary {
  readonly definition: string;
  /** The blocks that had completed. */
  readonly completedBlocks: readonly string[];
  readonly skippedBlocks: readonly string[];
  /** The wave that was executed last, or that waits. Counted from 0. */
  readonly currentWave: number;
  readonly totalWaves: number;
  /** Completed blocks of all blocks, 0 to 100. */
  readonly progressPercentage: number;
  readonly pausedBlock?: string;
  readonly pausePrompt?: string;
  readonly pauses: readonly PauseSummary[];
}
