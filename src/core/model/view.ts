import type { ErrorData } from "./errors.ts";
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

/** A run as a page shows it: immutable, and a new object only when something changed. */
export interface RunView<Outputs = Values, Asks = Pause> {
  readonly id: string;
  readonly workflow: string;
  /** Hash of the definition the run goes on with. */
  readonly definition: string;
  readonly status: RunStatus;
  /** Set where it is `paused` since it was stopped for now: it goes on when it is resumed. */
  readonly reason?: PauseReason;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it completed, failed or was cancelled. A failed run that is resumed has none until it ends again. */
  readonly endedAt?: number;
  readonly inputs: Values;
  /** The planned waves; blocks in the order of the definition. */
  readonly waves: readonly WaveView[];
  /** The blocks that undo what the run did, in the order of the definition; only where it has begun to. */
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
  /** Why the run failed, was cancelled or stopped working. */
  readonly error?: ErrorData;
  readonly parent?: RunParent;
  readonly fork?: RunFork;
  /** How the run is kept, where its workflow or its start said so: for the rest as the executor says. */
  readonly policy?: RunPolicy;
  /** The run that this one goes on from, and the first run of their conversation. */
  readonly previous?: PreviousRun;
  /** Set where another definition of the workflow is loaded than the one the run goes on with. */
  readonly outdated?: true;
  /** Where the run went that was handed over: it does not go on here. */
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
  /** When the block started, or nothing. */
  readonly startedAt?: number;
  /** How long it ran; absent until it has settled. */
  readonly tookMs?: number;
  readonly skipped?: SkipReason;
  readonly error?: ErrorData;
  /** How often it was executed, where it failed before and was tried again; 0 where it was not, since a fork was given its outputs. */
  readonly attempts?: number;
  /** Whose outputs it has, where it was not executed. */
  readonly cached?: CachedFrom;
  /** Which execution this is, or the one that follows, from 1; only once the block ran again. */
  readonly iteration?: number;
  /** How many there may be. */
  readonly maxIterations?: number;
  /** The instant at which it goes on by itself. */
  readonly until?: number;
  /** The events with which it goes on. */
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

/** How a block stands in a run: as its step, or `pending` and `running` before there is one. */
export type BlockStatus = StepStatus | "pending" | "running";
