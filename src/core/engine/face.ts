import type { CheckpointInfo, CheckpointKind, CheckpointSummary } from "../model/checkpoint.ts";
import type { RunResult } from "../model/result.ts";
import type { RunHead, RunStatus, Step } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import type { RunView } from "../model/view.ts";
import type { Workflow } from "../model/workflow.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import type { Page } from "../ports/store.ts";
import type { InputsOf, OutputsOf } from "./define-workflow.ts";

/** What `createExecutor` makes. */
export interface Executor {
  /**
   * Adds a workflow after checking all of it, block types and patterns included. Workflows given to `createExecutor` are checked the same
   * way before their first run. Throws the first problem; `WORKFLOW_DUPLICATE` for a second, different definition of the same name.
   */
  load(workflow: Workflow): Promise<void>;

  /**
   * Starts a run and resolves once it is stored; the blocks execute from then on. Throws `WORKFLOW_NOT_FOUND`, `INPUT_INVALID` with every
   * wrong input, or a `STORE_…` code; then nothing was stored.
   */
  start<W extends Workflow>(workflow: W, inputs?: InputsOf<W>, options?: WaitOptions): Promise<Run<OutputsOf<W>>>;
  start(workflow: string, inputs?: Values, options?: WaitOptions): Promise<Run>;

  /** A stored run as it stands; nothing executes until `resume` or `answer`. Takes a run id, or `run_…/block` for the run a block called. */
  open(run: string, options?: WaitOptions): Promise<Run>;

  /**
   * Goes on from a checkpoint: answers it if it is a pause, continues a run that a crash left behind, and tries again what failed. Only the
   * newest state of a run can go on; an older checkpoint is a failure with `CHECKPOINT_STALE` unless `fork: true`, which makes a new run
   * that shares the past up to the checkpoint and leaves the old one as it is. Throws `CHECKPOINT_NOT_FOUND`.
   */
  resume(checkpoint: string, response?: Value, options?: ResumeOptions): Promise<RunResult>;

  /** Answers the pause with this id; see {@link Run.answer}. */
  answer(pause: string, response: Value, options?: WaitOptions): Promise<RunResult>;

  readonly runs: {
    /** Heads, newest first. */
    list(query?: RunListQuery): Promise<Page<RunHead>>;
    /** Deletes a run, the runs its blocks called, and their checkpoints. Throws `RUN_ACTIVE` while it executes. */
    delete(run: string): Promise<void>;
  };

  readonly checkpoints: {
    /** Newest first. */
    list(query?: CheckpointListQuery): Promise<Page<CheckpointSummary>>;
    /** The state at a checkpoint. Throws `CHECKPOINT_NOT_FOUND`. */
    get(checkpoint: string): Promise<CheckpointInfo>;
    /**
     * Deletes a checkpoint. Deleting an open pause gives its run up (`cancelled`). Gives whether it existed. Throws `RUN_ACTIVE` while the
     * run executes.
     */
    delete(checkpoint: string): Promise<boolean>;
  };

  /**
   * Stops executing and lets pending writes finish; runs stay as they are and go on when opened again. The store stays open: who opened it
   * closes it.
   */
  close(): Promise<void>;
}

/** One run, live. */
export interface Run<Outputs = Values> {
  readonly id: string;

  /** The run as it stands: the same object until something changes. */
  getSnapshot(): RunView<Outputs>;

  /** Calls the listener now and after each change, at most once a microtask. Gives the function that ends it. */
  subscribe(listener: (view: RunView<Outputs>) => void): () => void;

  /** Resolves when nothing of the run executes any more: it completed, failed, was cancelled, or waits for answers. */
  settled(options?: WaitOptions): Promise<RunResult<Outputs>>;

  /**
   * Answers a pause and resolves when the run is settled again. Several at once: a map from pause id to answer, taken one after another.
   * A wrong answer is a failure with `RESPONSE_INVALID` that changed nothing; a pause that was answered otherwise, `PAUSE_ALREADY_ANSWERED`.
   * The same answer again gives the run as it stands. Throws `CHECKPOINT_NOT_FOUND`.
   */
  answer(pause: string, response: Value, options?: WaitOptions): Promise<RunResult<Outputs>>;
  answer(answers: { readonly [pause: string]: Value }, options?: WaitOptions): Promise<RunResult<Outputs>>;

  /** Goes on where the run stands: after a crash, or once more with what failed. Resolves when it is settled. */
  resume(options?: WaitOptions): Promise<RunResult<Outputs>>;

  /** Aborts the blocks that run and ends the run as `cancelled`, with the runs its blocks called. */
  cancel(options?: { readonly reason?: string }): Promise<RunResult<Outputs>>;

  /** The records of what was executed, in the order of the journal. */
  steps(): Promise<readonly Step[]>;

  /** Reads the store again: another tab may have answered. */
  refresh(): Promise<void>;
}

export interface WaitOptions {
  /** Ends the waiting with `ABORTED`, not the run. */
  readonly signal?: AbortSignalLike;
}

export interface ResumeOptions extends WaitOptions {
  readonly fork?: boolean;
}

export interface RunListQuery {
  readonly workflow?: string;
  readonly status?: RunStatus;
  readonly topLevel?: boolean;
  readonly limit?: number;
  readonly after?: string;
}

export interface CheckpointListQuery {
  readonly run?: string;
  readonly workflow?: string;
  readonly kind?: CheckpointKind;
  readonly limit?: number;
  readonly after?: string;
}
