import type { Pause, RunParent } from "./run.ts";
import type { Values } from "./value.ts";
import type { Block } from "./workflow.ts";

/** Where a checkpoint comes from: the end of a wave or a request by a block (`chk_…`), or a pause, open or answered (`pause_…`). */
export type CheckpointKind = "wave" | "pause" | "requested";
/** All of them. Stores write a kind as its place in this list. */
export const CHECKPOINT_KINDS: readonly CheckpointKind[] = ["wave", "pause", "requested"];

/** A row of the store's index of checkpoints: enough to list, to filter and to find the place in the journal. */
export interface CheckpointRow {
  readonly run: string;
  readonly workflow: string;
  readonly kind: CheckpointKind;
  /** Its number among those of its kind in the run. Run, kind and number make the id. */
  readonly number: number;
  readonly createdAt: number;
  /** How many entries of the journal belong to the state at this checkpoint. */
  readonly entries: number;
  /** What a store with a key keeps about the row, to detect changes. */
  readonly sealed?: string;
}

/** One line of a list of checkpoints. */
export interface CheckpointSummary {
  readonly id: string;
  readonly run: string;
  readonly workflow: string;
  readonly kind: CheckpointKind;
  readonly createdAt: number;
  /**
   * Set where a revision took it back: its state holds an answer that was changed since, or its question was asked again. You can read and fork it,
   * but its run does not continue from there.
   */
  readonly superseded?: true;
}

/** A line of a list of checkpoints, with the question of a pause, or the metadata of the block that asked for it. */
export interface ListedCheckpoint extends CheckpointSummary {
  /** Of a pause: the blocks from this run down to the one that asks. */
  readonly path?: readonly string[];
  readonly prompt?: string;
  /** Of a pause: `withdrawn` where the question no longer counts. */
  readonly status?: "open" | "answered" | "withdrawn";
  /** Of a requested one: the metadata of the block, with `block`, `item` if there is one, `iteration` from 1, and `elapsed_ms` of that execution. */
  readonly metadata?: Values;
}

/** What the expressions of a run see at some moment. Secrets are left out, or appear as `***`. */
export interface RunContext {
  readonly inputs: Values;
  readonly metadata: Values;
  /** What channels hold, by name; absent where the workflow has none. */
  readonly channels?: Values;
  /** The blocks that have begun, by id. */
  readonly blocks: { readonly [block: string]: BlockValues };
}

/** What expressions see of a block. */
export interface BlockValues {
  /** The inputs as they resolve at that moment; absent where the block was skipped, or they do not resolve. */
  readonly inputs?: Values;
  /** `null` where the block failed without outputs; absent until it has some. */
  readonly outputs?: Values | null;
  readonly metadata: Values;
}

/** The state at a checkpoint, as a view of the journal. */
export interface CheckpointInfo extends CheckpointSummary {
  /** Version of the format of the journal. */
  readonly schemaVersion: number;
  /** Hash of the definition. */
  readonly definition: string;
  /** The blocks as the definition has them. */
  readonly blocks: readonly Block[];
  /** The ids of the blocks that run together, wave by wave. */
  readonly waves: readonly (readonly string[])[];
  readonly inputs: Values;
  readonly context: RunContext;
  /** How many supersteps had ended. */
  readonly supersteps: number;
  /** How many steps had been recorded. */
  readonly stepCount: number;
  /** The names of the workflows whose calls lead to this run, outermost first. */
  readonly callers: readonly string[];
  readonly parent?: RunParent;
  /** The pause of the calling run that asks the same question. Absent where that run cannot be read. */
  readonly parentCheckpoint?: string;
  /** The pause of the called run that asks the same question. */
  readonly childCheckpoint?: string;
  /** The blocks that had completed. */
  readonly completedBlocks: readonly string[];
  readonly skippedBlocks: readonly string[];
  /** The wave that was executed last, or that waits; from 0. */
  readonly currentWave: number;
  readonly totalWaves: number;
  /** Which part of all blocks had completed, 0 to 100. */
  readonly progressPercentage: number;
  /** Of a requested one; see {@link ListedCheckpoint.metadata}. */
  readonly metadata?: Values;
  readonly pausedBlock?: string;
  readonly pausePrompt?: string;
  readonly pauseMetadata?: Values;
  /** The questions that were open. */
  readonly pauses: readonly Pause[];
}
