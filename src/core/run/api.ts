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
   * A stored run as it stands; nothing executes until `resume` or `answer`. Takes a run id, or `run_…/block` for the run a block called; the
   * `run_` of an id that was chosen may be left out: `order-123/rag`. Throws `RUN_NOT_FOUND`.
   */
  open(run: string, options?: WaitOptions): Promise<Run>;

  /**
   * Goes on from a checkpoint: answers it if it is a pause, continues a run that a crash left behind, and tries again what failed. Only the
   * newest state of a run can go on; an older checkpoint is a failure with `CHECKPOINT_STALE` unless `fork: true`, which makes a new run
   * that shares the past up to the checkpoint and leaves the old one as it is. Throws `CHECKPOINT_NOT_FOUND`.
   */
  resume(checkpoint: string, response?: Answer, options?: ResumeOptions): Promise<RunResult>;

  /** Answers the pause with this id; see {@link Run.answer}. */
  answer(pause: string, response: Answer, options?: WaitOptions): Promise<RunResult>;

  /** Sends a signal to a run; see {@link Run.signal}. Takes a run as {@link open} does: `run_…/block` is the run that a block called. */
  signal(run: string, name: string, value?: Answer, options?: SignalOptions): Promise<void>;

  /** Stops a run for now; see {@link Run.stop}. Takes a run as {@link open} does. */
  stop(run: string): Promise<RunResult>;

  /**
   * Makes a new run that shares the past of another up to a checkpoint, and lets it go on. With other `inputs`, another definition, or answers that
   * are changed by `revise`, the finished steps that come out otherwise run again. `answers` are given to its pauses. Both name them as in the run it
   * comes from, which may have ended. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`, `RESPONSE_INVALID` and what starting throws.
   */
  fork(checkpoint: string, options?: ForkOptions): Promise<Run>;

  /**
   * Removes what the policy does not keep: ended runs and automatic checkpoints older than `ttlMs`, automatic checkpoints beyond
   * `maxPerWorkflow`,
   * unreferenced blobs. Never a run that executes, waits for an answer (unless `keepPaused: false`), or is needed by another one. One
   * cleaner at a time, across tabs and processes. Options take the place of the policy's. Throws `POLICY_INVALID`.
   */
  cleanup(options?: CleanupOptions): Promise<CleanupReport>;

  /**
   * Goes on with runs that a dead process left running, and gives which, without waiting for their end: also with those that wait for a run that they called, and do not
   * know yet what it came to. A run whose lock a living process holds is left to it. With `watch` it looks again and again, also after looks that lost the connection to the store, and resolves when this executor is closed.
   * Over a store whose runs are executed by workers, `watch` makes a worker of this executor: it takes orders, and releases what it executes before it ends.
   */
  recover(options?: RecoverOptions): Promise<Recovery>;

  /**
   * Starts runs of the loaded workflows at the times of their `schedule`, until the signal aborts (`ABORTED`) or this executor is closed. Any number of tabs and
   * processes may do so on one store: one time has one run, whose id is made of the workflow and the time, such as `run_nightly-20261124T080000Z`. Times
   * that passed unnoticed follow `catchUp`, from the moment that schedules first ran for this workflow in this store. Each run that is started here, and each
   * that could not be, is an event `scheduled`.
   */
  runSchedules(options?: WaitOptions): Promise<void>;

  /** What the store holds, in figures. Reads heads and the checkpoint index, no journal. */
  metrics(): Promise<StoreMetrics>;

  /** Ids are taken as `open` takes them: the `run_` of one that was chosen may be left out. */
  readonly runs: {
    /**
     * Heads, the one changed last first: changed is what a list shows of a run (its status, its questions, its label), not each step. A run that
     * changes while you page moves to the front: the later pages do not have it, the first page does when you ask again. Throws
     * `STORE_QUERY_INVALID` for a query that makes no sense.
     */
    list(query?: RunListQuery): Promise<Page<RunHead>>;
    /** The run this one was forked from, that one's, and so on, with all their forks. Throws `RUN_NOT_FOUND`. */
    tree(run: string): Promise<RunTree>;
    /**
     * The run as one portable text: its journal, the runs it called, definitions and blobs, with a checksum. Throws `RUN_NOT_FOUND`,
     * `RUN_ACTIVE` while it executes.
     */
    export(run: string, options?: ExportOptions): Promise<string>;
    /**
     * Takes in what {@link Executor.runs | export} or `transfer` gave, under the same id, and gives the run as it stands. It goes on only with
     * a definition that is loaded here (the same hash), or with `accept: true`. Throws `RUN_FILE_INVALID`, `RUN_EXISTS`.
     */
    import(file: string, options?: ImportOptions): Promise<Run>;
    /**
     * Looks whether a run could be taken in and go on here, and stores nothing. Throws what `import` would throw, and `DEFINITION_UNTRUSTED` where
     * the definition is neither loaded nor accepted.
     */
    checkImport(file: string, options?: ImportOptions): Promise<void>;
    /**
     * Exports a run for good: here it refuses to go on from now on (`RUN_TRANSFERRED`), naming `to`. The file may come back by `import`.
     * Throws `RUN_ACTIVE` while it executes.
     */
    transfer(run: string, options: TransferOptions): Promise<string>;
    /**
     * Deletes a run, the runs its blocks called, and their checkpoints; one that is damaged, too. Throws `RUN_ACTIVE` while one of them
     * executes, and then nothing was deleted.
     */
    delete(run: string): Promise<void>;
    /**
     * Calls the listener soon after a run was added, changed or deleted, here or in another tab, with its id; with nothing where any may have
     * been. For lists of runs; who shows one run uses {@link Run.subscribe}. A hint to read again, which never comes where the store is
     * not notified of others: files. Gives the function that ends it.
     */
    watch(listener: (run?: string) => void): () => void;
  };

  readonly checkpoints: {
    /** Newest first. A page opens the runs whose questions it shows; those that cannot be read are in its `damaged`, and their rows without a question. */
    list(query?: CheckpointListQuery): Promise<Page<ListedCheckpoint>>;
    /** The state at a checkpoint. Throws `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_PRUNED`. */
    get(checkpoint: string): Promise<CheckpointInfo>;
    /** What is different at the second of two checkpoints, of one run or of two. Throws what `get` throws. */
    diff(from: string, to: string): Promise<CheckpointDifference>;
    /** Keeps the newest automatic checkpoints of each workflow in the lists; pauses, and those that blocks asked for, always stay. Gives how many were removed. */
    trim(maxPerWorkflow: number): Promise<number>;
    /**
     * Deletes a checkpoint. Deleting an open pause gives its run up (`cancelled`). Gives whether it existed. Throws `RUN_ACTIVE` while the
     * run executes.
     */
    delete(checkpoint: string): Promise<boolean>;
  };

  /**
   * Stops executing and lets pending writes finish; runs stay as they are and go on when opened again. The store stays open: who opened it
   * closes it. Later calls throw `STORE_CLOSED`.
   */
  close(): Promise<void>;
}

/** One run, live. */
export interface Run<Outputs = Values, Asks = Pause> {
  readonly id: string;

  /** The run as it stands: the same object until something changes. */
  getSnapshot(): RunView<Outputs, Asks>;

  /**
   * Calls the listener now and after each change, the last one before {@link settled} resolves: while blocks execute at most once a turn of the
   * event loop, otherwise, and where the status changes, in the next microtask. Parts of the view that did not change stay the same objects.
   * Gives the function that ends it.
   */
  subscribe(listener: (view: RunView<Outputs, Asks>) => void): () => void;

  /** Resolves when nothing of the run executes any more: it completed, failed, was cancelled, or waits for answers. */
  settled(options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Answers a pause and resolves when the run is settled again. Several at once: a map from pause id to answer, taken one after another.
   * Of a workflow that TypeScript knows, the id of a pause gives its answer a type. A wrong answer is a failure with `RESPONSE_INVALID` that changed nothing; a pause that was answered otherwise, `PAUSE_ALREADY_ANSWERED`.
   * The same answer again gives the run as it stands. Throws `CHECKPOINT_NOT_FOUND`.
   */
  answer(answers: { readonly [pause: string]: Answer }, options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;
  answer<Id extends string>(pause: Id, response: AnswerFor<Id>, options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Says that there will be no answer: the block fails with `PAUSE_DECLINED`, unless its type takes that for an answer. With
   * `action: "cancel"` the run is cancelled, with `"skip"` the block is skipped where {@link Pause.allows} it. Resolves when the run is settled again.
   */
  decline(pause: string, options?: DeclineOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Keeps what was typed so far, as it is: never checked, shown as `draft` of the pause in every tab, gone in the same step that
   * accepts the answer. `undefined` removes it. Throws `CHECKPOINT_NOT_FOUND`, `PAUSE_ALREADY_ANSWERED`, `LIMIT_EXCEEDED`.
   */
  saveDraft(pause: string, draft: Answer | undefined): Promise<void>;

  /** All questions that can be reached, with their answers, in the order of the plan: for a review page. */
  answers(): Promise<readonly ReviewItem[]>;

  /**
   * Changes an earlier answer in this run, and resolves when it is settled again: blocks that are given something else run again, all else is kept,
   * and questions whose answer no longer holds are asked again. Takes the id of any asking of that question, in this run or in one that it called. A
   * failure that changed nothing: `RESPONSE_INVALID`; `PAUSE_ALREADY_ANSWERED` where another tab was first; `PAUSE_WITHDRAWN`; `PAUSE_EXPIRED` where
   * no answer came in time; `RUN_ENDED` where the run completed or was cancelled: fork its last checkpoint. A failed run goes on. Throws
   * `CHECKPOINT_NOT_FOUND`, and `RUN_NOT_FOUND` where the called run that asked was deleted.
   */
  revise<Id extends string>(pause: Id, response: AnswerFor<Id>, options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /** What {@link revise} would keep, ask again and run again. Runs and stores nothing. Throws what {@link revise} gives as a failure. */
  previewRevise<Id extends string>(pause: Id, response: AnswerFor<Id>): Promise<RevisionPreview>;

  /**
   * Opens the previous question again, in the order in which they were answered, and resolves when the run is settled: it waits there, and offers the
   * answer that was given as `earlier`. What does not depend on it stays; what does is kept once it is answered the same. Gives the failures of
   * {@link revise}. Throws `CHECKPOINT_NOT_FOUND` at the first question.
   */
  back(options?: WaitOptions): Promise<RunResult<Outputs, Asks>>;

  /** Whether the run can go on with another definition: the loaded one of its name, unless one is given. Changes nothing. */
  plan(workflow?: Workflow): Promise<MovePlan>;

  /** Goes on where the run stands: after a crash, after {@link stop}, or once more with what failed. Resolves when it is settled. */
  resume(options?: ResumeRunOptions): Promise<RunResult<Outputs, Asks>>;

  /**
   * Tells the run that something has happened outside of it, with a value if there is one, and resolves once that is stored; the run goes on from then
   * on. The oldest signal of a name goes to the first block, in the order of the workflow, that waits for it, and else ends a question that it may end. One that comes early
   * is kept. A called run has signals of its own. Throws `SIGNAL_INVALID` for a value that does not fit what waits for it, `RUN_ENDED` (a failed run keeps
   * it until it is resumed) and `LIMIT_EXCEEDED`; then nothing was recorded.
   */
  signal(name: string, value?: Answer, options?: SignalOptions): Promise<void>;

  /**
   * Stops the run for now, with the runs its blocks called: it is `paused` with the reason `stopped`, in lists too. The blocks that run are aborted, and
   * run again after {@link resume}; without that the run does not go on, {@link Executor.recover} leaves it alone, and answers are kept. Where another
   * tab or process executes it, that stops as soon as it learns of it: at its next write at the latest. Deadlines go on. Throws `RUN_ENDED`.
   */
  stop(): Promise<RunResult<Outputs, Asks>>;

  /**
   * Aborts the blocks that run and ends the run as `cancelled`, with the runs its blocks called: a failure with `RUN_CANCELLED`. A run that has ended
   * stays what it is, and gives its result.
   */
  cancel(options?: { readonly reason?: string }): Promise<RunResult<Outputs, Asks>>;

  /**
   * The records of what was executed, in the order of the journal; with `superstep`, of what had been when that one had ended. Throws
   * `CHECKPOINT_PRUNED` for what is no longer kept, `CHECKPOINT_NOT_FOUND` for what has not happened.
   */
  steps(options?: SuperstepOptions): Promise<readonly Step[]>;

  /**
   * What happened in the run, entry by entry, newest first, in pages. Values stand as they are stored: secrets do not. What the store no longer keeps
   * is left out; the base that stands for it comes last, without its content. Throws `STORE_QUERY_INVALID` for a query that is none.
   */
  journal(query?: JournalQuery): Promise<Page<JournalRecord>>;

  /** The outputs of all blocks, now or when a superstep had ended. Throws what {@link steps} throws. */
  state(options?: SuperstepOptions): Promise<RunValues>;

  /** What its expressions see, now or when a superstep had ended: what each block was given and gave. Throws what {@link steps} throws. */
  context(options?: SuperstepOptions): Promise<RunContext>;

  /**
   * The definition as the run has it, now or when a superstep had ended: with the blocks that were added to it, each of which depends on the one that added
   * it. So it can be drawn as any workflow. Throws what {@link steps} throws.
   */
  definition(options?: SuperstepOptions): Promise<Workflow>;

  /**
   * The files that its blocks wrote, as they stand now or stood when a superstep had ended; those of runs that it called are theirs. Throws what
   * {@link steps} throws.
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

/** How a run begins. */
export interface StartOptions extends WaitOptions {
  /**
   * A name of your own: the run is `run_` and this. 1 to 100 letters, digits, `_` and `-`. Throws `RUN_EXISTS` where there is one already, unless
   * {@link ifExists} says otherwise.
   */
  readonly id?: string;
  /**
   * `resume`: where the run of that `id` is there, it is opened and goes on where it was interrupted; inputs and all else that a start says count only for a
   * new one. A run that failed, ended or was stopped stays as it is. Throws `RUN_EXISTS` where it is one of another workflow. Default: `error`.
   */
  readonly ifExists?: "resume" | "error";
  /**
   * What channels hold at the start, by name, in the place of their defaults. Throws `CHANNEL_UNKNOWN` and `CHANNEL_INVALID`. Values under secret keys
   * are refused: give those as inputs.
   */
  readonly channels?: Values;
  /**
   * How the run is written and what is kept of it, with all that it calls, wherever it goes on. What it does not say is as in the `policy` of the workflow,
   * and then of the executor. Throws `POLICY_INVALID`.
   */
  readonly policy?: RunPolicy;
  /**
   * The id of a completed run that this one goes on from, in one conversation: `${previous.outputs.x}` is what it gave. Kept with this run, so that it may be
   * deleted. Throws `RUN_NOT_FOUND`, `RUN_ACTIVE` where it has not ended, `RUN_ENDED` where it failed or was cancelled.
   */
  readonly after?: string;
}

/** How a run goes on from a checkpoint. */
export interface ResumeOptions extends WaitOptions {
  readonly fork?: boolean;
  /** Deletes the checkpoint once the run has gone on from it without a failure. A fork leaves the run it comes from as it is. Default: false. */
  readonly deleteAfter?: boolean;
}

/** How a run goes on from where it stands. */
export interface ResumeRunOptions extends WaitOptions {
  /** Moves the run to the definition that is loaded now. Throws `DEFINITION_MISMATCH`, with all differences, where it cannot. */
  readonly definition?: "latest";
}

/** What is different in a fork from the run it comes from. */
export interface ForkOptions {
  /** By the ids of the pauses in the run the fork comes from. */
  readonly answers?: { readonly [pause: string]: Answer };
  /** Answers that are changed, by the ids of their pauses there. */
  readonly revise?: { readonly [pause: string]: Answer };
  /** In the place of the run's own; all that are needed. */
  readonly inputs?: Values;
  /** Goes on with the definition that is loaded now. */
  readonly definition?: "latest";
  /**
   * A block: the fork begins there. It and all that depends on it run, again where they had; what it depends on does not. Not together with
   * `inputs`, `revise` and `definition`.
   */
  readonly startAt?: string;
  /**
   * With `startAt`: outputs of blocks before it, by id, in the place of those that they have or lack. `OUTPUT_INVALID` for those that a block
   * cannot give, and where some are missing that are needed.
   */
  readonly outputs?: { readonly [block: string]: Values };
  /** With `startAt`: what channels hold there, by name, in plain JSON. Default: what they hold at the checkpoint. */
  readonly channels?: Values;
}

/** How a signal is sent. */
export interface SignalOptions extends WaitOptions {
  /** What tells it from other signals of the run, as its sender counts them: sent again with the same id, it is taken once. 1 to 200 characters. */
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

/** How long runs are looked for that a dead process left. */
export interface RecoverOptions extends WaitOptions {
  /** Looks again every `everyMs`, until the signal aborts (`ABORTED`) or the executor is closed. Default: once. */
  readonly watch?: boolean;
  /** Milliseconds, from 1. Default: 10,000. */
  readonly everyMs?: number;
}

/** What a cleanup lets go, in the place of what the policy says. */
export interface CleanupOptions {
  readonly ttlMs?: number;
  readonly maxPerWorkflow?: number;
  readonly keepPaused?: boolean;
}

/** What a file of a run holds beside its journal, and whether it is sealed. */
export interface ExportOptions {
  /** Whether drafts go along. Default: false. */
  readonly drafts?: boolean;
  /** Seals the file with a passphrase, which `import` then needs. Only so may secrets go along. */
  readonly passphrase?: string;
  /** Whether secret inputs and what stands under secret keys go along, where a passphrase is given. Default: false. */
  readonly secrets?: boolean;
}

/** How the file of a run is taken in. */
export interface ImportOptions {
  /** Accepts the definitions in the file, known here or not. Default: false. */
  readonly accept?: boolean;
  readonly passphrase?: string;
}

/** Where a run is handed over to, and what goes along. */
export interface TransferOptions extends ExportOptions {
  /** Where it goes, in words: shown to those who try to continue here. */
  readonly to: string;
}

/** Which runs a list shows: those that meet all that is given, in pages. */
export interface RunListQuery {
  readonly workflow?: string;
  /** One status, or several: runs that have any of them. */
  readonly status?: RunStatus | readonly RunStatus[];
  /** Only runs that no other run called. */
  readonly topLevel?: boolean;
  /**
   * Only runs that have these values under the names that the `search` of their workflow gives them: `{ email: "a@b.example" }`. Stores in SQLite and Postgres
   * find them by an index; of others all runs that meet the rest are looked at, and a page may hold fewer than `limit` while there is a `next`.
   */
  readonly where?: SearchValues;
  /**
   * Only the runs of a conversation: the id of its first run, and those that go on from it. All runs that meet the rest are looked at; a page may hold fewer than
   * `limit` while there is a `next`.
   */
  readonly conversation?: string;
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Which checkpoints a list shows: those that meet all that is given, in pages. */
export interface CheckpointListQuery {
  readonly run?: string;
  readonly workflow?: string;
  readonly kind?: CheckpointKind;
  /** Only ids of this form, in which `*` stands for any characters: `pause_order-*`. */
  readonly id?: string;
  /** Only checkpoints that a block asked for, whose metadata has these members, with equal values. Reads the runs that asked for some. */
  readonly metadata?: Values;
  readonly limit?: number;
  readonly after?: string;
}
