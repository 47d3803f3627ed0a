import type { ErrorData } from "./errors.ts";
import type { RunPolicy } from "./policy.ts";
import type { AskedAgain, CachedFrom, EarlierAnswer, PreviousRun, RunParent, RunStatus, SkipReason } from "./run.ts";
import type { StoredFile } from "./run-file.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Values } from "./value.ts";
import type { Block, OnEvent, OnTimeout } from "./workflow.ts";

/** Version of the journal's form, written into the first entry. */
export const JOURNAL_VERSION = 1;
/** The first member of the first line of every run file, sealed or not. */
export const RUN_FILE_FORMAT = "wavepoint-run";
/** Version of the form of run files. */
export const RUN_FILE_VERSION = 1;

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
  | MemoizedEntry
  | AnsweredEntry
  | SignalledEntry
  | ReopenedEntry
  | CalledEntry
  | OpenedEntry
  | ResumedEntry
  | SuspendedEntry
  | ForgottenEntry
  | BaseEntry
  | RecoveredEntry
  | BeganEntry
  | RevisedEntry
  | ReenteredEntry
  | KeptEntry
  | WithdrawnEntry
  | EffectedEntry
  | ForkedEntry
  | SuppliedEntry
  | AssumedEntry
  | MovedEntry
  | TransferredEntry
  | ArrivedEntry
  | CompensatingEntry
  | FinishedEntry;

/** An entry as it is shown: where it stands, and when that was. */
export interface JournalRecord {
  /** Its place in the journal, from 0. */
  readonly place: number;
  /** Instant, in milliseconds since the epoch. */
  readonly at: number;
  readonly entry: Entry;
}

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
  /** In a called run: the revision of the caller that it follows, by its number. Left out where 0. */
  readonly entered?: number;
  /** What channels hold at the start, where that is not their default. */
  readonly channels?: Values;
  /** How the run is kept, where its workflow or its start says so; of a called run, as its caller. */
  readonly policy?: RunPolicy;
  /** The run that this one goes on from. */
  readonly previous?: PreviousRun;
  /** Its outputs as they were then. This run keeps them, also when that one changes or is deleted. */
  readonly previousOutputs?: Values;
  /** What the code of block types does with channels, by type. Only for those that do something, in a workflow with channels. */
  readonly touches?: Touches;
}

/** Which channels the code of block types may read and write, by type. */
export interface Touches {
  readonly [type: string]: { readonly reads: readonly string[]; readonly writes: readonly string[] };
}

/** What an execution changed of channels: by channel, in the order of the changes. */
export interface Writes {
  readonly [channel: string]: readonly unknown[];
}

interface LaterEntry {
  /** Milliseconds after the start. */
  readonly at: number;
}

/** How an entry names a unit. */
export interface NamedUnit {
  readonly block: string;
  /** The item, from 0, of a block with `for_each`; left out where the block itself is meant. */
  readonly item?: number;
}

interface UnitEntry extends LaterEntry, NamedUnit {}

interface StepEntry extends UnitEntry {
  /** Milliseconds the block ran. Left out where 0. */
  readonly ms?: number;
  /**
   * What the execution was given, as one short text: the inputs, and behind points the last answer and what came after it; what came before is folded into one
   * part. Only where something in the run may ask.
   */
  readonly given?: string;
  /** The revision under which the execution began, by its number. Left out where 0. */
  readonly turn?: number;
  /** How many entries the called run had, where the entry is about one. */
  readonly childEntries?: number;
  /**
   * Files of the run that the unit read for the first time, with the hash of what it found; `null` where there was none. Under the empty name, what it
   * found when it listed them. Only where something in the run may ask.
   */
  readonly read?: FilesRead;
  /** The signal with which the execution went on, by its id. */
  readonly signal?: string;
}

/** What a unit found when it read files of the run, by name. */
export interface FilesRead {
  readonly [name: string]: string | null;
}

/** What an execution leaves in its run beside its outputs, where it completed or runs once more. A revision that takes the step back takes it back too. */
export interface StepChanges {
  /** What it changed of channels: {@link Writes}. */
  readonly writes?: EncodedValue;
  /** It asked for a checkpoint: what the block says of that. */
  readonly checkpoint?: EncodedValue;
  /** The files that it wrote. */
  readonly files?: readonly StoredFile[];
  /** The blocks that it added to the run, as a definition has them. */
  readonly added?: readonly Block[];
  /** What the code of their types does with channels; as at the start. */
  readonly touches?: Touches;
}

export interface CompletedEntry extends StepEntry, StepChanges {
  readonly type: "completed";
  readonly outputs: EncodedValue;
  /** The blocks of its `next` that the block chose itself; left out where the definition says which. */
  readonly next?: readonly string[];
  /** Whose outputs they are, where the block was not executed. */
  readonly cached?: CachedFrom;
}

export interface FailedEntry extends StepEntry {
  readonly type: "failed";
  readonly error: ErrorData;
  /** What the block produced before it failed. */
  readonly outputs?: EncodedValue;
}

export interface SkippedEntry extends StepEntry {
  readonly type: "skipped";
  readonly reason: SkipReason;
}

/** A block with `for_each` begins: from here on entries are about its items. It has settled once the last of them has. */
export interface ItemsEntry extends LaterEntry {
  readonly type: "items";
  readonly block: string;
  readonly count: number;
  /** The keys of an object's members; left out for a list. */
  readonly keys?: readonly string[];
  /** What tells each item from the others, so that it is found again in another list. Only where something in the run may ask. */
  readonly ids?: readonly string[];
  readonly turn?: number;
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
export interface IteratedEntry extends StepEntry, StepChanges {
  readonly type: "iterated";
  /** What the block gives to its next execution. */
  readonly value?: EncodedValue;
}

/** The block stored a value under a key of its own, before it ended. */
export interface MemoizedEntry extends UnitEntry {
  readonly type: "memoized";
  readonly key: string;
  /** What the execution was given; see {@link StepEntry}. */
  readonly given: string;
  readonly value: EncodedValue;
}

/** The block continues at an instant, with a signal, or with the run that it called: whichever comes first. */
export interface WaitingEntry extends StepEntry {
  readonly type: "waiting";
  /** Milliseconds after the start; left out where it waits for no instant. */
  readonly until?: number;
  /** The events for which it waits. */
  readonly events?: readonly string[];
  /** What the value of the signal must look like. */
  readonly schema?: JsonSchema;
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
  readonly metadata?: EncodedValue;
  /** The number of the pause inside the called run that this pause stands for. */
  readonly child?: number;
  /** Another question of the same block follows: only with the last one the place is a checkpoint. */
  readonly more?: true;
  /** When the pause ends by itself, in milliseconds after the start. */
  readonly until?: number;
  /** What follows then. Default: the block fails. */
  readonly onTimeout?: OnTimeout;
  /** The events that end the pause, and what follows then. */
  readonly onEvent?: OnEvent;
  /** The engine asks what became of a block that must not run twice, or whether it shall run again since it is given something else. */
  readonly about?: "outcome" | "repetition";
  /** What the same question was answered before a revision. */
  readonly earlier?: EarlierAnswer;
  /** Of a called run's question that is asked again: how often it was, in milliseconds after the start of this run. */
  readonly again?: AskedAgain;
  /** A heading for the page that asks. */
  readonly title?: string;
  /** What the controls show before anything is typed. */
  readonly prefill?: EncodedValue;
  /** No draft of the answer is kept, and it is not shown. */
  readonly sensitive?: true;
  /** The question may be left out. */
  readonly skippable?: true;
  /** A page offers to decline it. */
  readonly declinable?: true;
}

/** A signal came from outside. It stays until something that waits for an event of its name takes it. */
export interface SignalledEntry extends LaterEntry {
  readonly type: "signalled";
  /** What tells it from the others of the run: as its sender says, or made by the engine. */
  readonly id: string;
  readonly name: string;
  readonly value: EncodedValue;
}

/** The first valid answer to a pause. Its step follows in a later entry. */
export interface AnsweredEntry extends LaterEntry {
  readonly type: "answered";
  readonly pause: number;
  readonly response: EncodedValue;
  /** Set where the person declined to answer, cancelled, or left the question out; then `response` is null. */
  readonly action?: "decline" | "cancel" | "skip";
  /** Set where no answer came in time, an event ended the question, or the answer is the one from before a revision. */
  readonly by?: "timeout" | "event" | "earlier";
  /** The signal that ended the question, by its id. */
  readonly signal?: string;
}

/** The block refused an answer that had fitted the schema: the pause is open again. */
export interface ReopenedEntry extends LaterEntry {
  readonly type: "reopened";
  readonly pause: number;
  readonly error: ErrorData;
}

/** The block began to run another workflow; the id of that run follows from this run and the block. */
export interface CalledEntry extends UnitEntry {
  readonly type: "called";
  /**
   * What tells the run from the first one that the block called, which stays beside it: the name of another workflow, called after a revision; `#2` of a block
   * that repeats, in its second execution; or both, as `#2~name`.
   */
  readonly workflow?: string;
}

/** A resource was opened for the blocks of a type. */
export interface OpenedEntry extends LaterEntry {
  readonly type: "opened";
  /** The run that uses it: a fork has the entry too, and opens its own. */
  readonly run: string;
  readonly blockType: string;
  readonly name: string;
  readonly reference: EncodedValue;
}

/** A run goes on that had failed, was cancelled, or was stopped for now: what failed is pending again. */
export interface ResumedEntry extends LaterEntry {
  readonly type: "resumed";
}

/** The run was stopped for now: nothing of it executes until it is resumed. */
export interface SuspendedEntry extends LaterEntry {
  readonly type: "suspended";
  /** Set in a called run that was stopped with its caller: it goes on with that. */
  readonly withCaller?: true;
}

/** A checkpoint was deleted: the number of a wave, of a pause, or of one that a block asked for. */
export interface ForgottenEntry extends LaterEntry {
  readonly type: "forgotten";
  readonly wave?: number;
  readonly pause?: number;
  readonly requested?: number;
}

/** Stands for the beginning of a journal that is no longer kept, and, as a note, spares reading it. */
export interface BaseEntry extends LaterEntry {
  readonly type: "base";
  readonly version: number;
  /** How many entries it stands for, itself as the last. */
  readonly entries: number;
  /** Hash of the definition the run has at this place. */
  readonly definition: string;
  /** The state of the run but for its steps, as the engine writes it. */
  readonly state: unknown;
  /** Its steps, a list for as many blocks as are kept together. */
  readonly steps: readonly unknown[];
}

/** Another process found blocks that had no record and may have been executed. */
export interface RecoveredEntry extends LaterEntry {
  readonly type: "recovered";
}

/** A block with an effect is about to be executed: one that must not run twice, or another one with something that it was not given before. */
export interface BeganEntry extends UnitEntry {
  readonly type: "began";
  /** Set where it may run again: what it is given is all that is noted. */
  readonly repeats?: true;
  /** The pause with whose answer it is executed. */
  readonly pause?: number;
  /** The signal with which it is executed, by its id. */
  readonly signal?: string;
  readonly given?: string;
  readonly turn?: number;
}

/**
 * An earlier answer was changed, or its question is open again: what depends on it is due again. Of a question of this run it says `pause` and
 * `as`, of one that a called run asks `block`, `calls` and `inner`. Without a response and an action the question is open again.
 */
export interface RevisedEntry extends LaterEntry {
  readonly type: "revised";
  /** The asking whose answer is changed. */
  readonly pause?: number;
  /** The number of the new asking, which takes its place. */
  readonly as?: number;
  /** The block whose called run asks. */
  readonly block?: string;
  readonly item?: number;
  /** The units of that run, and of those it called, that lead to the run whose block asks. */
  readonly calls?: readonly string[];
  /** The asking there. */
  readonly inner?: number;
  /** Of a block that repeats: which of the runs that it called asks, where that is not the last one: what tells it from the first, which is "". */
  readonly call?: string;
  readonly response?: EncodedValue;
  readonly action?: "decline" | "skip";
  /** In a called run: the number of the revision of the caller that it follows. */
  readonly cause?: number;
}

/** Everything in the run is due again, with other inputs where they are said. */
export interface ReenteredEntry extends LaterEntry {
  readonly type: "reentered";
  readonly inputs?: Values;
  /** In a fork that begins at a block: only these are due, or supplied; nothing that was recorded of them holds again. */
  readonly units?: readonly { readonly block: string }[];
  /** There: what channels hold from here on. Earlier writes no longer count. */
  readonly channels?: Values;
  /** In a called run: the number of the revision of the caller that it follows. */
  readonly cause?: number;
}

/** What was recorded of these units before a revision holds again: they are given the same. */
export interface KeptEntry extends LaterEntry {
  readonly type: "kept";
  readonly units: readonly NamedUnit[];
}

/** A revision was passed on to a called run, and these questions were taken back there. */
export interface WithdrawnEntry extends UnitEntry {
  readonly type: "withdrawn";
  readonly pauses: readonly number[];
}

/**
 * In a fork: what must not run twice was executed in the run it comes from, after the place where it begins. Its block may be one that is yet to be
 * added.
 */
export interface EffectedEntry extends UnitEntry {
  readonly type: "effected";
  /** Set where it had begun there, and nothing says whether it took effect. */
  readonly unknown?: true;
  readonly given?: string;
  readonly outputs?: EncodedValue;
  readonly next?: readonly string[];
}

/**
 * In a fork: what was done before this is left to the run it comes from, which undoes it where that fails or is cancelled. Written where
 * something was done that another block undoes.
 */
export interface ForkedEntry extends LaterEntry {
  readonly type: "forked";
  /** The blocks that run has undone since, and those that called a run which has: they are due again here. */
  readonly undone?: readonly string[];
}

/** In a fork that begins at a block: one before it is not executed. What it gives was said from outside; without that it is skipped. */
export interface SuppliedEntry extends LaterEntry {
  readonly type: "supplied";
  readonly block: string;
  readonly outputs?: EncodedValue;
  /** Another one follows: only with the last the place is a checkpoint. */
  readonly more?: true;
}

/** In a preview, and never stored: a unit is taken to complete, and what it gives is not known. */
export interface AssumedEntry extends UnitEntry {
  readonly type: "assumed";
}

/** The run goes on with another definition. */
export interface MovedEntry extends LaterEntry {
  readonly type: "moved";
  readonly definition: string;
  /** New ids of blocks that are called otherwise there; `null` for steps that no longer count. */
  readonly blocks?: { readonly [id: string]: string | null };
  /** What the code of block types does with channels there. */
  readonly touches?: Touches;
}

/** The run was handed over to another store; what is here does not go on. */
export interface TransferredEntry extends LaterEntry {
  readonly type: "transferred";
  /** Where it went, in the words of the person who sent it there. */
  readonly to: string;
  /** How often it had been handed over before. */
  readonly ownership: number;
}

/** The run came from another store, which has handed it over. */
export interface ArrivedEntry extends LaterEntry {
  readonly type: "arrived";
  /** How often it has been handed over now. */
  readonly ownership: number;
}

/** The run has failed or was cancelled, and undoes what it did before it ends so. */
export interface CompensatingEntry extends LaterEntry {
  readonly type: "compensating";
  readonly status: "failed" | "cancelled";
  readonly error: ErrorData;
  /** What executed when the run was cancelled, and was aborted. */
  readonly stopped?: readonly NamedUnit[];
}

export interface FinishedEntry extends LaterEntry {
  readonly type: "finished";
  readonly status: Exclude<RunStatus, "running" | "paused">;
  readonly outputs?: EncodedValue;
  readonly error?: ErrorData;
  /** What executed when the run was cancelled, and was aborted. */
  readonly stopped?: readonly NamedUnit[];
}

/** A value as `encodeValue` writes it: plain JSON, or a wrapped text where it holds what JSON lacks. */
export type EncodedValue = unknown;
