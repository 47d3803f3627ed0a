import type { ErrorData } from "./errors.ts";
import type { JsonSchema, RunParent, RunStatus, SkipReason } from "./run.ts";
import type { Values } from "./value.ts";

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
}

/** The first valid answer to a pause. Its step follows in a later entry. */
export interface AnsweredEntry {
  readonly type: "answered";
  readonly pause: number;
  readonly response: EncodedValue;
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
