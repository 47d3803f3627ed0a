import type { CheckpointInfo, CheckpointKind, ListedCheckpoint, RunContext } from "../model/checkpoint.ts";
import type { CheckpointDifference, ReviewItem, RevisionPreview, RunTree } from "../model/history.ts";
import type { CleanupReport, Recovery, StoreMetrics } from "../model/maintenance.ts";
import type { Answer, FileValue } from "../model/file-value.ts";
import type { MovePlan } from "../model/move-plan.ts";
import type { RunResult } from "../model/result.ts";
import type { RunFile } from "../model/run-file.ts";
import type { JournalRecord } from "../model/journal.ts";
import type { RunPolicy } from "../model/policy.ts";
import type { AnswerFor, Pause, RunHead, RunStatus, SearchValues, Step } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { RunView } from "../model/view.ts";
import type { Workflow } from "../model/workflow.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import type { Page } from "../ports/store.ts";
import type { Named, OutputsOf, PausesOf, StartArguments } from "../definition/definition.ts";

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
  start<W extends Workflow | string>(
    workflow: W,
    ...given: StartArguments<Named<W>, StartOptions>
  ): Promise<Run<OutputsOf<Named<W>>, PausesOf<Named<W>>>>;

  /**
   * Opens a stored run as it stands. Nothing executes until `resume` or `answer`. Takes a run id, or `run_…/block` for the run that a block
   * called. You may leave out the `run_` of an id that you chose: `order-123/rag`. Throws `RUN_NOT_FOUND`.
   */
  open(run: string, options?: WaitOptions): Promise<Run>;

  /**
   * Continues from a checkpoint: answers it if it is a pause, continues a run that a crash left behind, and retries what failed. Only the
   * newest checkpoint of a run will do: an older one is a failure with `CHECKPOINT_STALE`. With `fork: true` any checkpoint will do: a new run
   * shares the past up to there, and the old run stays as it is. Throws `CHECKPOINT_NOT_FOUND`.
   */
  resume(checkpoint: string, response?: Answer, options?: ResumeOptions): Promise<RunResult>;

  /** Answers the pause with this id; see {@link Run.answer}. */
  answer(pause: string, response: Answer, options?: WaitOptions): Promise<RunResult>;

  /** Sends a signal to a run; see {@link Run.signal}. Takes a run as {@link open} does: `run_…/block` is the run that a block called. */
  signal(run: string, name: string, value?: Answer, options?: SignalOptions): Promise<void>;

  /** Stops a run for now; see {@link Run.stop}. Takes a run as {@link open} does. */
  stop(run: string): Promise<RunResult>;

  /**
   * Makes a new run that shares the past of another up to a checkpoint, and continues it. `answers` answers open pauses, `revise` changes earlier
   * answers; both take the ids of pauses of the original run, which may have ended. Finished steps run again where other inputs, answers or another
   * definition change what they are given. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`, `RESPONSE_INVALID` and what `start` throws.
   */
  fork(checkpoint: string, options?: ForkOptions): Promise<Run>;

  /**
   * Removes what the policy does not keep: ended runs and automatic checkpoints older than `ttlMs`, automatic checkpoints beyond
   * `maxPerWorkflow`, and unreferenced blobs. Never removes a run that executes, waits for an answer (unless `keepPaused: false`), or is needed by
   * another run. One tab or process cleans at a time. Options override those of the policy. Throws `POLICY_INVALID`.
   */
  cleanup(options?: CleanupOptions): Promise<CleanupReport>;

  /**
   * Finds runs that a dead process left running, continues them, and reports them without waiting for their end. It also continues runs that wait for
   * a called run which has ended meanwhile. A run that a living process holds is left to that process. With `watch` it looks again every `everyMs`,
   * also after it lost the connection to the store, and resolves when this executor is closed. On a store whose runs are executed by workers,
   * `watch` makes this executor a worker: it takes orders, and releases what it executes before it ends.
   */
  recover(options?: RecoverOptions): Promise<Recovery>;

  /**
   * Starts runs of the loaded workflows at the times of their `schedule`, until the signal aborts (`ABORTED`) or this executor is closed. Any number
   * of tabs and processes may do so on one store: each time gets one run, with an id such as `run_nightly-20261124T080000Z`. For times that were
   * missed, `catchUp` of the schedule decides; those before the first call for this workflow and store do not count. Each start, and each start
   * that failed, is an event `scheduled`.
   */
  runSchedules(options?: WaitOptions): Promise<void>;

  /** Counts what the store holds. Reads heads and the checkpoint index, no journal. */
  metrics(): Promise<StoreMetrics>;

  /** The stored runs. They take ids as {@link open} does. */
  readonly runs: {
    /**
     * Lists the heads of runs, the latest change first. What lists show counts as a change (the status, the questions, the label), a step does not. A
     * run that changes while you page moves to the front: it is missing in later pages, and stands in the first one when you ask again. Throws
     * `STORE_QUERY_INVALID` for a query that makes no sense.
     */
    list(query?: RunListQuery): Promise<Page<RunHead>>;
    /** The family of a run: the run that it was forked from, the origin of that one, and so on, with all their forks. Throws `RUN_NOT_FOUND`. */
    tree(run: string): Promise<RunTree>;
    /**
     * Writes a run as one portable text: its journal, the runs it called, definitions and blobs, with a checksum. Throws `RUN_NOT_FOUND`, and
     * `RUN_ACTIVE` while it executes.
     */
    export(run: string, options?: ExportOptions): Promise<string>;
    /**
     * Imports a file of {@link Executor.runs | export} or `transfer` under the same id, and gives the run as it stands. The run continues only with
     * a definition that is loaded here (the same hash), or with `accept: true`. Throws `RUN_FILE_INVALID`, `RUN_EXISTS`.
     */
    import(file: string, options?: ImportOptions): Promise<Run>;
    /**
     * Checks whether a run could be imported and continue here. Stores nothing. Throws what `import` would throw, and `DEFINITION_UNTRUSTED` where
     * the definition is neither loaded nor accepted.
     */
    checkImport(file: string, options?: ImportOptions): Promise<void>;
    /**
     * Exports a run for good: from now on it does not continue here (`RUN_TRANSFERRED`, which names `to`). `import` may bring it back.
     * Throws `RUN_ACTIVE` while it executes.
     */
    transfer(run: string, options: TransferOptions): Promise<string>;
    /**
     * Deletes a run, the runs its blocks called, and their checkpoints, also where they are damaged. Throws `RUN_ACTIVE` while one of them
     * executes; then nothing was deleted.
     */
    delete(run: string): Promise<void>;
    /**
     * Calls the listener soon after a run was added, changed or deleted, here or in another tab: with its id, or with nothing if any run may have
     * changed. For lists of runs; to show one run, use {@link Run.subscribe}. The call is a hint to read again. A store in files gives none for
     * changes by other processes. Gives the function that ends it.
     */
    watch(listener: (run?: string) => void): () => void;
  };

  readonly checkpoints: {
    /** Lists checkpoints, newest first. Reads the runs whose questions it shows. `damaged` names those that it cannot read; their rows have no question. */
    list(query?: CheckpointListQuery): Promise<Page<ListedCheckpoint>>;
    /** The state at a checkpoint. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`. */
    get(checkpoint: string): Promise<CheckpointInfo>;
    /** Compares two checkpoints, of one run or of two: what is different at the second. Throws what `get` throws. */
    diff(from: string, to: string): Promise<CheckpointDifference>;
    /** Keeps the newest automatic checkpoints of each workflow in the lists. Others always stay. Gives how many it removed. */
    trim(maxPerWorkflow: number): Promise<number>;
    /**
     * Deletes a checkpoint, and gives whether it existed. Deleting an open pause cancels its run. Throws `RUN_ACTIVE` while the run executes.
     */
    delete(checkpoint: string): Promise<boolean>;
  };

  /**
   * Stops executing and lets pending writes finish. Runs stay as they are, and continue when they are opened again. The store stays open: close it
   * yourself. Later calls throw `STORE_CLOSED`.
   */
  close(): Promise<void>;
}

/** One run, live. */
export interface Run<Outputs = Values, Asks = Pause> {
  readonly id: string;

  /** The run as it stands: the same object until something changes. */
  getSnapshot(): RunView<Outputs, Asks>;

  /**
   * Calls the listener now and after each change. While blocks execute that is at most once a turn of the event loop; else, and when the status
   * changes, in the next microtask. The last call comes before {@link settled} resolves. Parts of the view that did not change stay the same
   * objects. Gives the function that ends it.
   */
  subscribe(listener: (view: RunView<Outputs, Asks>) => void): () => void;

  /** Resolves when nothing of the run executes any more: it completed, failed, was cancelled, or waits for answers. */
  settled(options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Answers a pause and resolves when the run is settled again. Several at once: a map from pause id to answer, taken one after another.
   * In a workflow that TypeScript knows, the id of a pause gives its answer a type. A wrong answer is a failure with `RESPONSE_INVALID` and changes
   * nothing. A pause that has another answer already is one with `PAUSE_ALREADY_ANSWERED`; the same answer again gives the run as it stands. Throws
   * `CHECKPOINT_NOT_FOUND`.
   */
  answer(answers: { readonly [pause: string]: Answer }, options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;
  answer<Id extends string>(pause: Id, response: AnswerFor<Id>, options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Declines a question: the block fails with `PAUSE_DECLINED`, unless its type handles that. `action: "cancel"` cancels the run instead, and
   * `"skip"` skips the block where {@link Pause.allows} it. Resolves when the run is settled again.
   */
  decline(pause: string, options?: DeclineOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Stores what was typed so far, unchecked. Every tab sees it as `draft` of the pause. The commit that takes the answer removes it, and so does
   * `undefined`. Throws `CHECKPOINT_NOT_FOUND`, `PAUSE_ALREADY_ANSWERED`, `LIMIT_EXCEEDED`.
   */
  saveDraft(pause: string, draft: Answer | undefined): Promise<void>;

  /** All questions that can be reached, with their answers, in the order of the plan: for a review page. */
  answers(): Promise<readonly ReviewItem[]>;

  /**
   * Changes an earlier answer in this run, and resolves when the run is settled again. Blocks that are now given something else run again, questions
   * whose answer no longer holds are asked again, and everything else is kept. A failed run continues. Takes the id of any asking of the question, in
   * this run or in a called one. These failures change nothing: `RESPONSE_INVALID`; `PAUSE_ALREADY_ANSWERED` where another tab was first;
   * `PAUSE_WITHDRAWN`; `PAUSE_EXPIRED` where no answer came in time; `RUN_ENDED` where the run completed or was cancelled (fork its last checkpoint
   * instead). Throws `CHECKPOINT_NOT_FOUND`, and `RUN_NOT_FOUND` where the called run that asked was deleted.
   */
  revise<Id extends string>(pause: Id, response: AnswerFor<Id>, options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /** Says what {@link revise} would keep, ask again and run again. Stores nothing. Throws what {@link revise} gives as a failure. */
  previewRevise<Id extends string>(pause: Id, response: AnswerFor<Id>): Promise<RevisionPreview>;

  /**
   * Opens the question that was answered last, and resolves when the run waits for it; its pause has the answer as `earlier`. What does not depend on
   * it stays. What does is kept if the same answer comes again. Gives the failures of {@link revise}. Throws `CHECKPOINT_NOT_FOUND` at the first
   * question.
   */
  back(options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /** Says whether the run can continue with another definition: with the loaded one of its name, unless you give one. Changes nothing. */
  plan(workflow?: Workflow): Promise<MovePlan>;

  /** Continues the run where it stands: after a crash, after {@link stop}, or with what failed. Resolves when it is settled. */
  resume(options?: ResumeRunOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Sends the run a signal: something happened outside, with a value or without. Resolves once the signal is stored; then the run continues. The
   * oldest signal of a name goes to the first block, in the order of the workflow, that waits for it; if none does, it ends a question that it may
   * end. A signal that comes early is kept. A called run has signals of its own. Throws `SIGNAL_INVALID` for a value that does not fit what waits for
   * it, `RUN_ENDED`, and `LIMIT_EXCEEDED`; then nothing was recorded. A failed run keeps the signal until it is resumed.
   */
  signal(name: string, value?: Answer, options?: SignalOptions): Promise<void>;

  /**
   * Stops the run for now, with the runs its blocks called: it is `paused` with the reason `stopped`, in lists too. Blocks at work are aborted, and
   * run again after {@link resume}. Until then answers are kept, deadlines count on, and {@link Executor.recover} leaves the run alone. Another tab
   * or process that executes it stops at its next write at the latest. Throws `RUN_ENDED`.
   */
  stop(): Promise<RunResult<Outputs, Asks>>;

  /**
   * Aborts the blocks at work and ends the run as `cancelled`, with the runs its blocks called: a failure with `RUN_CANCELLED`. A run that has ended
   * stays as it is, and gives its result.
   */
  cancel(options?: { readonly reason?: string }): Promise<RunResult<Outputs, Asks>>;

  /**
   * The records of what was executed, in the order of the journal; with `superstep`, those up to the end of that one. Throws `CHECKPOINT_PRUNED`
   * for what is no longer kept, and `CHECKPOINT_NOT_FOUND` for what has not happened.
   */
  steps(options?: SuperstepOptions): Promise<readonly Step[]>;

  /**
   * The journal of the run, newest entry first, in pages. Values are as they are stored, without secrets. Entries that the store no longer keeps are
   * left out; the base in their place comes last, without its content. Throws `STORE_QUERY_INVALID` for a query that makes no sense.
   */
  journal(query?: JournalQuery): Promise<Page<JournalRecord>>;

  /** The outputs of all blocks, now or at the end of a superstep. Throws what {@link steps} throws. */
  state(options?: SuperstepOptions): Promise<RunValues>;

  /** What expressions see, now or at the end of a superstep: what each block was given and gave. Throws what {@link steps} throws. */
  context(options?: SuperstepOptions): Promise<RunContext>;

  /**
   * The definition of the run, now or at the end of a superstep, with the blocks that were added to it. Each of those depends on the block that added
   * it, so the definition can be drawn like any other. Throws what {@link steps} throws.
   */
  definition(options?: SuperstepOptions): Promise<Workflow>;

  /**
   * The files that blocks of the run wrote, now or at the end of a superstep. Called runs have files of their own. Throws what {@link steps} throws.
   */
  files(options?: SuperstepOptions): Promise<readonly RunFile[]>;

  /** A file of the run with its bytes. Throws `FILE_MISSING`, `RUN_CORRUPT` where the store lost them, and what {@link steps} throws. */
  readFile(name: string, options?: SuperstepOptions): Promise<FileValue>;

  /** Reads the store again: another tab may have answered. */
  refresh(): Promise<void>;
}

/** How long a call waits. */
export interface WaitOptions {
  /** Ends the waiting with `ABORTED`, not the run. */
  readonly signal?: AbortSignalLike;
}

/** How a run starts. */
export interface StartOptions extends WaitOptions {
  /**
   * A name of your own: the run is `run_` and this. 1 to 100 letters, digits, `_` and `-`. Throws `RUN_EXISTS` where there is one already, unless
   * {@link ifExists} says otherwise.
   */
  readonly id?: string;
  /**
   * With `resume`, a run that has this `id` already is opened and continues where it was interrupted; inputs and other options count for a new run
   * only. A run that failed, ended or was stopped stays as it is. Throws `RUN_EXISTS` where the run is one of another workflow. Default: `error`.
   */
  readonly ifExists?: "resume" | "error";
  /**
   * What channels hold at the start, by name, in place of their defaults. Throws `CHANNEL_UNKNOWN` and `CHANNEL_INVALID`. Values under secret keys
   * are refused: give those as inputs.
   */
  readonly channels?: Values;
  /**
   * How this run and the runs it calls are written, and what is kept of them, wherever they continue. What it leaves out follows the `policy` of the
   * workflow, then that of the executor. Throws `POLICY_INVALID`.
   */
  readonly policy?: RunPolicy;
  /**
   * The id of a completed run that this one follows in a conversation: `${previous.outputs.x}` is what that run gave. Its outputs are copied, so you
   * may delete it. Throws `RUN_NOT_FOUND`, `RUN_ACTIVE` where it has not ended, `RUN_ENDED` where it failed or was cancelled.
   */
  readonly after?: string;
}

/** How a run continues from a checkpoint. */
export interface ResumeOptions extends WaitOptions {
  /** Whether a new run is made, which leaves the old one as it is. Default: false. */
  readonly fork?: boolean;
  /** Whether the checkpoint is deleted once the run has continued without a failure. With `fork` it stays. Default: false. */
  readonly deleteAfter?: boolean;
}

/** How a run continues from where it stands. */
export interface ResumeRunOptions extends WaitOptions {
  /** Moves the run to the definition that is loaded now. Throws `DEFINITION_MISMATCH`, with all differences, where it cannot. */
  readonly definition?: "latest";
}

/** How a fork differs from the original run. */
export interface ForkOptions {
  /** Answers to open pauses, by their ids in the original run. */
  readonly answers?: { readonly [pause: string]: Answer };
  /** Changed answers, by the ids of their pauses in the original run. */
  readonly revise?: { readonly [pause: string]: Answer };
  /** All inputs, in place of those of the original run. */
  readonly inputs?: Values;
  /** Continues with the definition that is loaded now. */
  readonly definition?: "latest";
  /**
   * The block at which the fork begins. It runs, with all blocks that depend on it, even if they ran before; blocks that it depends on do not. Not
   * together with `inputs`, `revise` and `definition`.
   */
  readonly startAt?: string;
  /**
   * With `startAt`: outputs of earlier blocks, by id, in place of their own. `OUTPUT_INVALID` for outputs that a block cannot give, and where needed
   * ones are missing.
   */
  readonly outputs?: { readonly [block: string]: Values };
  /** With `startAt`: what channels hold at that block, by name, in plain JSON. Default: what they hold at the checkpoint. */
  readonly channels?: Values;
}

/** How a signal is sent. */
export interface SignalOptions extends WaitOptions {
  /** An id that you choose for this signal: if it is sent again with the same id, the run takes it once. 1 to 200 characters. */
  readonly id?: string;
}

/** What becomes of a question without an answer. Default: `decline`. */
export interface DeclineOptions extends WaitOptions {
  readonly action?: "decline" | "cancel" | "skip";
}

/** Which part of a journal is read. */
export interface JournalQuery {
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** The moment of a run that is read. */
export interface SuperstepOptions {
  /** Counted from 0. Default: all that has happened. */
  readonly superstep?: number;
}

/** The outputs of blocks, and what channels hold, at some moment. */
export interface RunValues {
  /** The last superstep that had ended; -1 before the first. */
  readonly superstep: number;
  /** By block; `null` where it failed without outputs. Blocks that have none yet, or were skipped, are left out. */
  readonly values: { readonly [block: string]: Values | null };
  /** What its channels hold, by name; absent where the workflow has none. */
  readonly channels?: Values;
}

/** How long `recover` looks for runs that a dead process left. */
export interface RecoverOptions extends WaitOptions {
  /** Looks again every `everyMs`, until the signal aborts (`ABORTED`) or the executor is closed. Default: once. */
  readonly watch?: boolean;
  /** Milliseconds, from 1. Default: 10,000. */
  readonly everyMs?: number;
}

/** What a cleanup keeps, in place of what the policy says. */
export interface CleanupOptions {
  readonly ttlMs?: number;
  readonly maxPerWorkflow?: number;
  readonly keepPaused?: boolean;
}

/** What the file of a run holds beside the journal, and whether it is sealed. */
export interface ExportOptions {
  /** Whether it holds drafts. Default: false. */
  readonly drafts?: boolean;
  /** Seals the file with a passphrase, which `import` then needs. Without one it holds no secrets. */
  readonly passphrase?: string;
  /** Whether it holds secret inputs and values under secret keys. Needs a passphrase. Default: false. */
  readonly secrets?: boolean;
}

/** How the file of a run is imported. */
export interface ImportOptions {
  /** Accepts the definitions in the file, known here or not. Default: false. */
  readonly accept?: boolean;
  readonly passphrase?: string;
}

/** Where a run is transferred to, and what goes along. */
export interface TransferOptions extends ExportOptions {
  /** Where the run goes, in words. People who try to continue it here see them. */
  readonly to: string;
}

/** Which runs a list shows: those that meet every condition, in pages. */
export interface RunListQuery {
  readonly workflow?: string;
  /** One status, or several: runs that have any of them. */
  readonly status?: RunStatus | readonly RunStatus[];
  /** Only runs that no other run called. */
  readonly topLevel?: boolean;
  /**
   * Only runs with these values under names of their workflow's `search`: `{ email: "a@b.example" }`. SQLite and Postgres find them by an index.
   * Other stores look at all runs that meet the rest of the query; then a page may hold fewer than `limit` though there is a `next`.
   */
  readonly where?: SearchValues;
  /**
   * Only the runs of a conversation, by the id of its first run. The store looks at all runs that meet the rest of the query, so a page may hold
   * fewer than `limit` though there is a `next`.
   */
  readonly conversation?: string;
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Which checkpoints a list shows: those that meet every condition, in pages. */
export interface CheckpointListQuery {
  readonly run?: string;
  readonly workflow?: string;
  readonly kind?: CheckpointKind;
  /** Only ids that match this pattern, in which `*` stands for any characters: `pause_order-*`. */
  readonly id?: string;
  /** Only checkpoints that a block asked for with these members in their metadata. Reads the runs of such checkpoints. */
  readonly metadata?: Values;
  readonly limit?: number;
  readonly after?: string;
}
