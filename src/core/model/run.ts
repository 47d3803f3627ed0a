import type { ErrorData } from "./errors.ts";
import type { Answer } from "./file-value.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Value, Values } from "./value.ts";

/** How a run stands. The last three are final; a failed one can be resumed. */
export type RunStatus = "running" | "paused" | "completed" | "failed" | "cancelled";

/** All of them. */
export const RUN_STATUSES: readonly RunStatus[] = ["running", "paused", "completed", "failed", "cancelled"];

/** Why a run is paused, where that is not that something is asked. */
export type PauseReason = "stopped";

/** What a list of runs shows, kept by the store beside the journal and replaced with every commit. */
export interface RunHead {
  readonly id: string;
  readonly workflow: string;
  /** Hash of the definition the run goes on with. */
  readonly definition: string;
  readonly status: RunStatus;
  /** Why it is `paused`, where that is not that something is asked: it was stopped for now, and goes on when it is resumed. */
  readonly reason?: PauseReason;
  /** What the workflow calls the run by its inputs and answers, as of its last change; absent where it has no `label`. */
  readonly label?: string;
  /** The values that the workflow says it is found by, as of its last change; absent where there are none. */
  readonly search?: SearchValues;
  readonly createdAt: number;
  readonly updatedAt: number;
  /**
   * When what a list shows of the run last changed (milliseconds since the epoch): its status, its open questions, its label, its definition, or
   * where it belongs. Lists are sorted by it. Steps alone do not change it, and it never falls.
   */
  readonly changedAt: number;
  /** Counts commits, from 1. The writer's proof that it saw the newest state. */
  readonly revision: number;
  /** Rises each time another runner takes the run. */
  readonly epoch: number;
  /** Number of entries in the journal. */
  readonly entries: number;
  /** How many of them are replaced by a base, from the first on; absent where all are kept. */
  readonly base?: number;
  /** Hashes of the blobs that its values refer to, and of the definitions it had before; absent where there are none. */
  readonly blobs?: readonly string[];
  /** The questions that wait for an answer, in the order of the plan. */
  readonly pauses: readonly PauseSummary[];
  /** The run and the block that called this run. */
  readonly parent?: RunParent;
  /** The run and the checkpoint this run was forked from. */
  readonly fork?: RunFork;
  /** The run that this one goes on from, and the first run of their conversation. */
  readonly previous?: PreviousRun;
  /** Set where the run came in by import and the host did not accept its definition yet. */
  readonly imported?: true;
  /** Set once an answer, or what a caller gave the run, was changed: some of its checkpoints may not stand any more. */
  readonly revised?: true;
  /** How often the run was handed over to another store; absent where never. */
  readonly ownership?: number;
  /** Where it went, once it was handed over: this copy does not go on. */
  readonly transferredTo?: string;
  readonly error?: ErrorData;
  /** What a store with a key keeps about the run's records, sealed. */
  readonly sealed?: string;
}

/** What runs are found by: texts of 1 to 256 characters, finite numbers, `true` and `false`. */
export type SearchValue = string | number | boolean;

/** Values by name: those that a run has, or those that runs are asked to have. */
export interface SearchValues {
  readonly [name: string]: SearchValue;
}

/** Where a run was called. */
export interface RunParent {
  readonly run: string;
  readonly block: string;
}

/** The run that another one goes on from (`start(…, { after })`). */
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
  /** That block took another of its ways. */
  | { readonly kind: "not-chosen"; readonly block: string }
  /** It runs only where that block fails. */
  | { readonly kind: "no-failure"; readonly block: string }
  /** No answer came in time. */
  | { readonly kind: "timeout" }
  /** That event came before an answer. */
  | { readonly kind: "event"; readonly event: string }
  /** Its question was left out. */
  | { readonly kind: "left-out" }
  /** A fork begins behind it, and nothing that runs there needs it. */
  | { readonly kind: "passed-over" }
  /** There is nothing in its `for_each`. */
  | { readonly kind: "empty" };

/** The record of one execution of one block, or of one item of a block with `for_each`, in one run. */
export interface Step {
  /** The place in this list, from 0. */
  readonly index: number;
  readonly block: string;
  /** The item, from 0; the step of the block itself has none. */
  readonly item?: number;
  /** Which execution this is, from 1, where the block asked to run again. One that did is `completed`, without outputs. */
  readonly iteration?: number;
  readonly status: StepStatus;
  /** The superstep it belongs to, from 0; absent where that part of the journal is no longer kept. */
  readonly superstep?: number;
  /** When the block began. */
  readonly startedAt: number;
  /** When the step reached this status. */
  readonly at: number;
  /** How long the block ran in this execution, waiting for answers left out. */
  readonly tookMs: number;
  readonly outputs?: Values | null;
  /** Set where the block failed, and `outputs` are what it had produced before. */
  readonly partial?: true;
  readonly error?: ErrorData;
  readonly skipped?: SkipReason;
  /** How often it was executed, where it failed before and was tried again; 0 where it was not, since a fork was given its outputs. */
  readonly attempts?: number;
  /** Whose outputs they are, where the block was not executed. */
  readonly cached?: CachedFrom;
  /** The instant the block waits for. */
  readonly until?: number;
  /** The events the block waits for. */
  readonly events?: readonly string[];
  /** The questions that it asked, by the ids of their pauses. */
  readonly pauses?: readonly string[];
  /** The run that the block called. */
  readonly child?: string;
}

/** From where the outputs of a block were taken over that was not executed. */
export interface CachedFrom {
  /** The run whose block gave them. It may be deleted by now. */
  readonly run: string;
  /** When it did, in milliseconds since the epoch. */
  readonly at: number;
}

/** The id of a pause, as a text. Where the workflow is known to the compiler, it knows what the answer is. */
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
  /** What the controls show before anything is typed: the earlier answer where it would do again, else what the block proposes. */
  readonly prefill?: Value;
  /** Set where the answer is private: pages hide what is typed and keep no draft of it. */
  readonly sensitive?: true;
  /** What may be done in the place of an answer. */
  readonly allows: PauseActions;
  /** How far the run is, as far as can be known. */
  readonly progress: RunProgress;
  /** What the block wanted to remember; pages may use it to draw a better form. */
  readonly metadata: Values;
  readonly askedAt: number;
  /** When the pause ends by itself; absent where it waits as long as it takes. */
  readonly expiresAt?: number;
  /** The events that end the pause; absent where none does. */
  readonly events?: readonly string[];
  /** What was typed so far and not sent, as it was saved last. */
  readonly draft?: Value;
  /** The answer that the same question had before it was opened again, or before an answer before it was changed. */
  readonly earlier?: EarlierAnswer;
  /** Set where it is shown again: since a revision, or since the block refused an answer that had been taken. */
  readonly again?: AskedAgain;
}

/** How often a question was asked that is shown again. */
export interface AskedAgain {
  /** This time counted. */
  readonly times: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What may be done at a question in the place of an answer. */
export interface PauseActions {
  /** Saying that there will be no answer: `run.decline(pause)`. A page offers it where the block is `declinable`; the engine takes it at any question. */
  readonly decline: boolean;
  /** Giving the run up: `run.decline(pause, { action: "cancel" })`. */
  readonly cancel: boolean;
  /** Going to the question before: `run.back()`. */
  readonly back: boolean;
  /** Leaving the question out: `run.decline(pause, { action: "skip" })`. */
  readonly skip: boolean;
}

/** How far a run is, in questions. What is not known is not invented: which questions follow depends on answers. */
export interface RunProgress {
  readonly answered: number;
  readonly remaining: {
    /** Questions that are sure to be asked, the open ones among them. */
    readonly min: number;
    /** Questions that may be asked at most; absent where it is unknown. */
    readonly max?: number;
  };
}

/** An answer from before a revision. */
export interface EarlierAnswer {
  readonly response: Value;
  /** `ok`: it would do again. `needs_review`: the block wants it looked at. `invalid`: it no longer fits the question. */
  readonly state: "ok" | "needs_review" | "invalid";
}
