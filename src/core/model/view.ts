import type { ErrorData } from "./errors.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { RunPolicy } from "./policy.ts";
import type {
  CachedFrom,
  Pause,
  PauseReason,
  PreviousRun,
  RunFork,
  RunParent,
  RunProgress,
  RunStatus,
  SkipReason,
  StepStatus,
} from "./run.ts";
import type { RunFile } from "./run-file.ts";
import type { Values } from "./value.ts";

/** A run as pages show it. Immutable: a change makes a new object. */
export interface RunView<Outputs = Values, Asks = Pause> {
  readonly id: string;
  readonly workflow: string;
  /** Hash of the definition that the run follows. */
  readonly definition: string;
  readonly status: RunStatus;
  /** Set where it is `paused` because it was stopped: it continues when you resume it. */
  readonly reason?: PauseReason;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it completed, failed or was cancelled. A failed run that is resumed has none until it ends again. */
  readonly endedAt?: number;
  readonly inputs: Values;
  /** The planned waves; blocks in the order of the definition. */
  readonly waves: readonly WaveView[];
  /** The blocks that undo what the run did, in the order of the definition; absent until it undoes something. */
  readonly compensations?: readonly BlockView[];
  /** The questions that wait for an answer, in the order of the plan. */
  readonly pauses: readonly Asks[];
  /** How far the run is, in questions. */
  readonly progress: RunProgress;
  /** What channels hold, by name, with what the wave under way has written so far; absent where the workflow has none. */
  readonly channels?: Values;
  /** The files that its blocks wrote, with what the wave under way has written so far; absent where there are none. */
  readonly files?: readonly RunFile[];
  /** Set once the run has completed. */
  readonly outputs?: Outputs;
  /**
   * How pages show the outputs, set with them: a schema with a property for each. It has the title that the workflow gives the output. The schema of one that
   * is an answer, or a field of one, is that of the answer, with its title, unit and choices.
   */
  readonly outputSchema?: JsonSchema;
  /** Why the run failed, was cancelled or stopped working. */
  readonly error?: ErrorData;
  readonly parent?: RunParent;
  readonly fork?: RunFork;
  /** What its workflow or its start says of how it is kept. The executor says the rest. */
  readonly policy?: RunPolicy;
  /** The run that this one follows, and the first run of their conversation. */
  readonly previous?: PreviousRun;
  /** Set where another definition of the workflow is loaded than the run follows. */
  readonly outdated?: true;
  /** Where the run was transferred to. It does not continue here. */
  readonly transferredTo?: string;
  /** Whether this executor is executing blocks of the run right now. */
  readonly active: boolean;
}

/** Blocks that run together. */
export interface WaveView {
  readonly index: number;
  readonly blocks: readonly BlockView[];
}

/** A block of a run as a page shows it. */
export interface BlockView {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly status: BlockStatus;
  /** When the block started. */
  readonly startedAt?: number;
  /** How long it ran, in milliseconds; absent until it has settled. */
  readonly tookMs?: number;
  readonly skipped?: SkipReason;
  readonly error?: ErrorData;
  /** How often it was executed, if it was retried; 0 if it never was, since a fork was given its outputs. */
  readonly attempts?: number;
  /** Where its outputs come from, if they were reused and it was not executed. */
  readonly cached?: CachedFrom;
  /** Which execution this is, or the next one, from 1; absent until the block runs again. */
  readonly iteration?: number;
  /** How many executions there may be. */
  readonly maxIterations?: number;
  /** When it continues by itself. */
  readonly until?: number;
  /** The events that it waits for. */
  readonly events?: readonly string[];
  /** The run that the block called. */
  readonly child?: string;
  /** The items of a block with `for_each`, once it has begun. */
  readonly items?: readonly ItemView[];
}

/** One item of a block with `for_each`, as a page shows it. */
export interface ItemView extends Omit<BlockView, "id" | "type" | "description" | "items"> {
  /** The key of an object's member; the index of a list's item, as text. */
  readonly key: string;
}

/** The status of a block in a run: that of its step, or `pending` and `running` before it has one. */
export type BlockStatus = StepStatus | "pending" | "running";
