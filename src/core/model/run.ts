import type { ErrorData } from "./errors.ts";
import type { Answer } from "./file-value.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Value, Values } from "./value.ts";

/** How a run stands. The last three are final; a failed one can be resumed. */
export type RunStatus = "running" | "paused" | "completed" | "failed" | "cancelled";

/** All of them. */
export const RUN_STATUSES: readonly RunStatus[] = ["running", "paused", "completed", "failed", "cancelled"];

/** Why a run is paused, if not for a question. */
export type PauseReason = "stopped";

/** What a list of runs shows, kept by the store beside the journal and replaced with every commit. */
export interface RunHead {
  readonly id: string;
  readonly workflow: string;
  /** Hash of the definition that the run follows. */
  readonly definition: string;
  readonly status: RunStatus;
  /** Why it is `paused`, if not for a question: it was stopped, and continues when you resume it. */
  readonly reason?: PauseReason;
  /** The `label` of the workflow, filled in as of the last change; absent where it has none. */
  readonly label?: string;
  /** The `search` values of the workflow, as of the last change; absent where it has none. */
  readonly search?: SearchValues;
  readonly createdAt: number;
  readonly updatedAt: number;
  /**
   * When something last changed that lists show (milliseconds since the epoch): the status, the open questions, the label, the definition, or the
   * store that owns the run. Lists are sorted by it. Steps alone do not change it. It never decreases.
   */
  readonly changedAt: number;
  /** Counts commits, from 1. The writer's proof that it saw the newest state. */
  readonly revision: number;
  /** Rises each time another runner takes the run. It begins at a number of the creation, so that no two runs with one id begin at the same. */
  readonly epoch: number;
  /** Number of entries in the journal. */
  readonly entries: number;
  /** How many entries, from the first on, a base has replaced; absent where all are kept. */
  readonly base?: number;
  /** Hashes of the blobs that its values refer to, and of the definitions it had before; absent where there are none. */
  readonly blobs?: readonly string[];
  /** The questions that wait for an answer, in the order of the plan. */
  readonly pauses: readonly PauseSummary[];
  /** The run and the block that called this run. */
  readonly parent?: RunParent;
  /** The run and the checkpoint this run was forked from. */
  readonly fork?: RunFork;
  /** The run that this one follows, and the first run of their conversation. */
  readonly previous?: PreviousRun;
  /** Set where the run was imported and the host has not accepted its definition yet. */
  readonly imported?: true;
  /** Set once an answer, or an input from the calling run, was changed: some checkpoints may no longer hold. */
  readonly revised?: true;
  /** How often the run was transferred to another store; absent where never. */
  readonly ownership?: number;
  /** Where the run was transferred to. This copy does not continue. */
  readonly transferredTo?: string;
  readonly error?: ErrorData;
  /** What a store with a key keeps about the run's records, sealed. */
  readonly sealed?: string;
}

/** A value that you can find runs by: a text of 1 to 256 characters, a finite number, `true` or `false`. */
export type SearchValue = string | number | boolean;

/** Values by name: those that a run has, or those that you look for. */
export interface SearchValues {
  readonly [name: string]: SearchValue;
}

/** Where a run was called. */
export interface RunParent {
  readonly run: string;
  readonly block: string;
}

/** The run that another one follows (`start(…, { after })`). */
export interface PreviousRun {
  readonly run: string;
  /** The first run of the conversation, which names it. */
  readonly conversation: string;
}

/** Where a run comes from that was forked. */
export interface RunFork {
  readonly run: string;
  readonly checkpoint: string;
}

/** An open question as lists of runs show it. */
export interface PauseSummary {
  readonly id: string;
  /** The blocks from this run down to the one that asks. */
  readonly path: readonly string[];
  /** At most 200 characters of the prompt. */
  readonly prompt: string;
}

/** How the execution of a block ended, or why it has not yet. */
export type StepStatus = "completed" | "failed" | "paused" | "waiting" | "skipped" | "stopped";

/** Why a block did not run. */
export type SkipReason =
  | { readonly kind: "condition"; readonly condition: string }
  | { readonly kind: "dependency"; readonly block: string }
  /** That block chose another way. */
  | { readonly kind: "not-chosen"; readonly block: string }
  /** It runs only if that block fails, and that did not happen. */
  | { readonly kind: "no-failure"; readonly block: string }
  /** No answer came in time. */
  | { readonly kind: "timeout" }
  /** That event came before an answer. */
  | { readonly kind: "event"; readonly event: string }
  /** The person skipped its question. */
  | { readonly kind: "left-out" }
  /** The fork begins after it, and does not need it. */
  | { readonly kind: "passed-over" }
  /** The list of its `for_each` is empty. */
  | { readonly kind: "empty" };

/** The record of one execution of one block, or of one item of a block with `for_each`, in one run. */
export interface Step {
  /** The place in this list, from 0. */
  readonly index: number;
  readonly block: string;
  /** The item, from 0; the step of the block itself has none. */
  readonly item?: number;
  /** Which execution this is, from 1, where the block asked to run again. One that asked for another is `completed`, without outputs. */
  readonly iteration?: number;
  readonly status: StepStatus;
  /** The superstep it belongs to, from 0; absent where that part of the journal is no longer kept. */
  readonly superstep?: number;
  /** When the block began. */
  readonly startedAt: number;
  /** When the step reached this status. */
  readonly at: number;
  /** How long the block ran in this execution, in milliseconds, without waiting for answers. */
  readonly tookMs: number;
  readonly outputs?: Values | null;
  /** Set where the block failed, and `outputs` are what it had produced before. */
  readonly partial?: true;
  readonly error?: ErrorData;
  readonly skipped?: SkipReason;
  /** How often it was executed, if it was retried; 0 if it never was, since a fork was given its outputs. */
  readonly attempts?: number;
  /** Where the outputs come from, if they were reused and the block was not executed. */
  readonly cached?: CachedFrom;
  /** The instant the block waits for. */
  readonly until?: number;
  /** The events the block waits for. */
  readonly events?: readonly string[];
  /** The questions that this execution asked, by the ids of their pauses. */
  readonly pauses?: readonly string[];
  /** The run that this execution called. */
  readonly child?: string;
}

/** Where reused outputs come from. */
export interface CachedFrom {
  /** The run whose block gave them. It may be deleted by now. */
  readonly run: string;
  /** When it did, in milliseconds since the epoch. */
  readonly at: number;
}

/** The id of a pause, a text. If the compiler knows the workflow, it carries the type of the answer. */
export type PauseId<Response> = string & { readonly "~answer"?: Response };

/** What answers a pause, by its id. */
export type AnswerFor<Id extends string> = Id extends PauseId<infer Response extends Answer> ? Response : Answer;

/** A question a block asks, with everything needed to show it and to check an answer. */
export interface Pause {
  readonly id: string;
  readonly run: string;
  /** The blocks from the outermost run down to the one that asks; an item of a block with `for_each` as `block[2]`. */
  readonly path: readonly string[];
  readonly type: string;
  /** A heading for the page that asks; absent where the prompt says it all. */
  readonly title?: string;
  /** The question, as plain text. */
  readonly prompt: string;
  /** What an answer must look like, as a JSON Schema. */
  readonly schema: JsonSchema;
  /** What the controls show before anything is typed: the earlier answer if it still fits, else what the block proposes. */
  readonly prefill?: Value;
  /** Set where the answer is private: pages hide what is typed and keep no draft of it. */
  readonly sensitive?: true;
  /** What the person may do instead of answering. */
  readonly allows: PauseActions;
  /** How far the run is, as far as can be known. */
  readonly progress: RunProgress;
  /** What the block noted with the question. Pages may use it to draw a better form. */
  readonly metadata: Values;
  readonly askedAt: number;
  /** When the pause ends by itself; absent where it waits without limit. */
  readonly expiresAt?: number;
  /** The events that end the pause; absent where none does. */
  readonly events?: readonly string[];
  /** What was typed and not sent yet, as saved last. */
  readonly draft?: Value;
  /** The answer that the question had before it was opened again, or before an earlier answer was changed. */
  readonly earlier?: EarlierAnswer;
  /** Set where the question is asked again: after a revision, or after the block refused an answer that was stored. */
  readonly again?: AskedAgain;
}

/** How often a repeated question was asked. */
export interface AskedAgain {
  /** This time included. */
  readonly times: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What the person may do instead of answering a question. */
export interface PauseActions {
  /** Decline to answer: `run.decline(pause)`. Pages offer it where the block is `declinable`; the engine accepts it at any question. */
  readonly decline: boolean;
  /** Cancel the run: `run.decline(pause, { action: "cancel" })`. */
  readonly cancel: boolean;
  /** Go back to the question before: `run.back()`. */
  readonly back: boolean;
  /** Skip the question: `run.decline(pause, { action: "skip" })`. */
  readonly skip: boolean;
}

/** How far a run is, in questions. Which questions follow depends on answers, so what remains is a range. */
export interface RunProgress {
  readonly answered: number;
  readonly remaining: {
    /** Questions that will certainly be asked, open ones included. */
    readonly min: number;
    /** The most questions that may be asked; absent where that is unknown. */
    readonly max?: number;
  };
}

/** An answer from before a revision. */
export interface EarlierAnswer {
  readonly response: Value;
  /** `ok`: it still fits. `needs_review`: it fits, and the block wants the person to look at it. `invalid`: it no longer fits. */
  readonly state: "ok" | "needs_review" | "invalid";
}
