import type { ErrorData } from "./errors.ts";
import type { EarlierAnswer, JsonSchema, RunParent, RunStatus, SkipReason } from "./run.ts";
import type { Value, Values } from "./value.ts";

/** Version of the journal's form, written into the first entry. */
export const JOURNAL_VERSION = 1;

/**
 * One line of a journal, the only truth about a run. `at` counts milliseconds from the `at` of the first entry, which alone is an instant:
 * lines stay short, and a fork copies them as they are. Pauses are numbered inside a run from 0; their public ids are made from the run.
 */
export type Entry =
  | StartedEntry
  | CompletedEntry
  | FailedEntry
  | SkippedEntry
  | PausedEntry
  | ItemsEntry
  | AttemptedEntry
  | WaitingEntry
  | IteratedEntry
  | AnsweredEntry
  | ReopenedEntry
  | CalledEntry
  | StoppedEntry
  | ResumedEntry
  | ForgottenEntry
  | BaseEntry
  | RecoveredEntry
  | BeganEntry
  | RevisesEntry
  | MovedEntry
  | TransferredEntry
  | ArrivedEntry
  | FinishedEntry;

export interface StartedEntry {
  readonly type: "started";
  readonly version: number;
  readonly workflow: string;
  readonly definition: string;
  readonly inputs: Values;
  /** Instant, in milliseconds since the epoch. */
  readonly at: number;
  readonly parent?: RunParent;
  /** Names of the workflows whose calls lead here, outermost first, this one left out. */
  readonly callers?: readonly string[];
}

interface StepEntry {
  readonly block: string;
  /** The item, from 0, of a block with `for_each`; left out where the entry is about the block itself. */
  readonly item?: number;
  readonly at: number;
  /** Milliseconds the block ran. Left out where 0. */
  readonly ms?: number;
}

export interface CompletedEntry extends StepEntry {
  readonly type: "completed";
  readonly outputs: EncodedValues;
  /** Taken over from the run that this one revises: the block was not executed. */
  readonly kept?: true;
}

export interface FailedEntry extends StepEntry {
  readonly type: "failed";
  readonly error: ErrorData;
  /** What the block produced before it failed. */
  readonly outputs?: EncodedValues;
}

export interface SkippedEntry extends StepEntry {
  readonly type: "skipped";
  readonly reason: SkipReason;
}

/** A block with `for_each` begins: from here on entries are about its items. It has settled once the last of them has. */
export interface ItemsEntry {
  readonly type: "items";
  readonly block: string;
  readonly count: number;
  /** The keys of an object's members; left out for a list. */
  readonly keys?: readonly string[];
  readonly at: number;
}

/** The block failed and is tried again. */
export interface AttemptedEntry extends StepEntry {
  readonly type: "attempted";
  readonly error: ErrorData;
  /** When, in milliseconds after the start. */
  readonly until: number;
  /** The pause with whose answer it was working, and will be again. */
  readonly pause?: number;
}

/** The block runs once more. */
export interface IteratedEntry extends StepEntry {
  readonly type: "iterated";
  /** What the block gives to its next execution. */
  readonly value?: EncodedValue;
}

/** The block goes on at an instant. */
export interface WaitingEntry extends StepEntry {
  readonly type: "waiting";
  /** Milliseconds after the start. */
  readonly until: number;
  /** The pause whose answer it goes on with. */
  readonly pause?: number;
}

export interface PausedEntry extends StepEntry {
  readonly type: "paused";
  readonly pause: number;
  /** Path from this run's block down to the block that asks; left out where that is the block itself. */
  readonly path?: readonly string[];
  /** Type of the block that asks; left out where that is the block itself. */
  readonly asks?: string;
  readonly prompt: string;
  readonly schema: JsonSchema;
  readonly metadata?: EncodedValues;
  /** The number of the pause inside the called run that this pause stands for. */
  readonly child?: number;
  /** Another question of the same block follows: only with the last one the place is a checkpoint. */
  readonly more?: true;
  /** When the pause ends by itself, in milliseconds after the start. */
  readonly until?: number;
  /** What follows then. Default: the block fails. */
  readonly onTimeout?: OnTimeout;
  /** The engine asks what became of a block that must not run twice. */
  readonly about?: "outcome";
  /** What the same question was answered in the run that this one revises. */
  readonly earlier?: EarlierAnswer;
  /** A heading for the page that asks. */
  readonly title?: string;
  /** What the controls show before anything is typed. */
  readonly prefill?: EncodedValue;
  /** No draft of the answer is kept, and it is not shown. */
  readonly sensitive?: true;
  /** The question may be left out. */
  readonly skippable?: true;
}

/** What follows when nobody answers in time. */
export type OnTimeout = "fail" | "skip" | { readonly answer: Value };

/** The first valid answer to a pause. Its step follows in a later entry. */
export interface AnsweredEntry {
  readonly type: "answered";
  readonly pause: number;
  readonly response: EncodedValue;
  /** Set where somebody declined to answer, cancelled, or left the question out; then `response` is null. */
  readonly action?: "decline" | "cancel" | "skip";
  /** Set where nobody answered in time, or the answer was taken over from the run that this one revises. */
  readonly by?: "timeout" | "earlier";
  readonly at: number;
}

/** The block refused an answer that had fitted the schema: the pause is open again. */
export interface ReopenedEntry {
  readonly type: "reopened";
  readonly pause: number;
  readonly error: ErrorData;
  readonly at: number;
}

/** The block began to run another workflow; the id of that run follows from this run and the block. */
export interface CalledEntry {
  readonly type: "called";
  readonly block: string;
  readonly item?: number;
  readonly at: number;
}

/** The block was aborted because its run was cancelled. */
export interface StoppedEntry extends StepEntry {
  readonly type: "stopped";
}

/** A failed run goes on: what failed is pending again. */
export interface ResumedEntry {
  readonly type: "resumed";
  readonly at: number;
}

/** A checkpoint was deleted: the number of a wave or of a pause. */
export interface ForgottenEntry {
  readonly type: "forgotten";
  readonly wave?: number;
  readonly pause?: number;
  readonly at: number;
}

/** Stands for the beginning of a journal that is no longer kept, and, as a note, spares reading it. */
export interface BaseEntry {
  readonly type: "base";
  readonly version: number;
  /** How many entries it stands for, itself as the last. */
  readonly entries: number;
  readonly at: number;
  /** Hash of the definition the run has at this place. */
  readonly definition: string;
  /** The state of the run, as the engine writes it. */
  readonly state: unknown;
}

/** Another process found blocks that had no record and may have been executed. */
export interface RecoveredEntry {
  readonly type: "recovered";
  readonly at: number;
}

/** A block with `effect: once` is about to be executed. */
export interface BeganEntry {
  readonly type: "began";
  readonly block: string;
  readonly item?: number;
  /** The pause with whose answer it is executed. */
  readonly pause?: number;
  readonly at: number;
}

/** From here on what another run did is taken over, where it comes out the same. */
export interface RevisesEntry {
  readonly type: "revises";
  readonly run: string;
  /** How much of its journal counts. Default: all, as it goes on. */
  readonly entries?: number;
  /** Answers that count in the place of those it has, by the number of the pause there. */
  readonly answers?: { readonly [pause: string]: unknown };
  /**
   * The question at which it begins: a pause here, one that a called run asks, or one of the caller. The open ones beside it take the answers they had
   * once it is answered. Default: at once.
   */
  readonly awaits?: { readonly pause: number } | { readonly call: string } | "caller";
  /** What the questions that are open here were answered there, by the number of the pause here. */
  readonly earlier?: { readonly [pause: string]: EarlierAnswer };
  /** Whether blocks with `effect: once` may run again. */
  readonly confirmed?: true;
  readonly at: number;
}

/** The run goes on with another definition. */
export interface MovedEntry {
  readonly type: "moved";
  readonly definition: string;
  /** New ids of blocks that are called otherwise there; `null` for steps that no longer count. */
  readonly blocks?: { readonly [id: string]: string | null };
  readonly at: number;
}

/** The run was handed over to another store; what is here does not go on. */
export interface TransferredEntry {
  readonly type: "transferred";
  /** Where it went, in the words of whoever sent it there. */
  readonly to: string;
  /** How often it had been handed over before. */
  readonly ownership: number;
  readonly at: number;
}

/** The run came from another store, which has let go of it. */
export interface ArrivedEntry {
  readonly type: "arrived";
  /** How often it has been handed over now. */
  readonly ownership: number;
  readonly at: number;
}

export interface FinishedEntry {
  readonly type: "finished";
  readonly status: Exclude<RunStatus, "running" | "paused">;
  readonly at: number;
  readonly outputs?: EncodedValues;
  readonly error?: ErrorData;
}

/** A value as `encodeValue` writes it: plain JSON, or a wrapped text where it holds what JSON lacks. */
export type EncodedValue = unknown;
export type EncodedValues = unknown;
