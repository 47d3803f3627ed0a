import type { CausedError, ErrorData, ErrorCode } from "../model/errors.ts";
import type { Block, OnEvent, OnTimeout, Workflow } from "../model/workflow.ts";
import type { RunResult } from "../model/result.ts";
import { assertOptions, type OptionNames } from "../model/assert-options.ts";
import type { FileValue } from "../model/file-value.ts";
import type { RunFile } from "../model/run-file.ts";
import type { AskedAgain, EarlierAnswer } from "../model/run.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { ChannelChangesOf, ChannelsOf } from "../model/channel-types.ts";
import type { Value, Values } from "../model/value.ts";
import type { Capability, Grants } from "./grants.ts";
import type { PlatformSignal, Host } from "./host.ts";
import type { ResourceType } from "./resource.ts";
import type { OutputStream } from "./shell.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** What a block gives back. */
export type BlockResult<Outputs = unknown> = Success<Outputs> | Failure | Paused | Waiting | Again | Invalid;

/** The block is done. */
export interface Success<Outputs> {
  readonly status: "success";
  readonly outputs: Outputs;
}

/** The block failed. */
export interface Failure {
  readonly status: "failure";
  readonly error: CausedError;
  /** What was produced before the failure; dependents see it where the block says `continue_on_error`. */
  readonly outputs?: unknown;
}

/** The block asks, and waits for the answers. */
export interface Paused {
  readonly status: "paused";
  readonly questions: readonly Question[];
}

/** The block runs once more; made by {@link BlockContext.nextIteration}. */
export interface Again {
  readonly status: "again";
  readonly value: unknown;
}

/**
 * The block continues at an instant, or with an event: whichever comes first. It is executed again then, with {@link BlockContext.wokenAt} or
 * {@link BlockContext.event}, in the process that runs it by then.
 */
export interface Waiting {
  readonly status: "waiting";
  /** Milliseconds since the epoch. Absent where it waits for events alone, or for the run that it called. */
  readonly until?: number;
  readonly events?: readonly string[];
  /** What the value of the event must look like. Default: anything. */
  readonly schema?: JsonSchema | StandardSchema;
}

/** How long a block waits for an event, and for what value. */
export interface WaitForOptions {
  /** An instant at which it continues without the event, in milliseconds since the epoch. Default: it waits as long as it takes. */
  readonly until?: number;
  /** What the value must look like: a signal that does not fit is refused. Default: anything. */
  readonly schema?: JsonSchema | StandardSchema;
}

/**
 * The block continues with the first of these events that comes by `run.signal`, however long that takes, across restarts. One that came before it waited
 * counts too. Throws `KEY_UNKNOWN` for an option that there is not.
 */
export function waitFor(events: string | readonly string[], options: WaitForOptions = {}): Waiting {
  assertOptions("waitFor", options, { until: true, schema: true });
  return { status: "waiting", events: [events].flat(), ...options };
}

/** The same of an instant that there is. */
export interface WaitingUntil extends Waiting {
  readonly until: number;
}

/** The answer is not one this question takes: nothing changes, the question stays open. */
export interface Invalid {
  readonly status: "invalid";
  readonly error: ErrorData;
}

/** What a block asks when it pauses. */
export interface Question {
  /** Plain text. Shown as it is, never as HTML. */
  readonly prompt: string;
  /**
   * What an answer must look like: a JSON Schema, or the schema of a library that tells its JSON Schema, of which only that counts. Default: the
   * `answer` of the block type, else any text that is not empty.
   */
  readonly schema?: JsonSchema | StandardSchema;
  /** Given back to `resume`. Must survive a store. */
  readonly metadata?: { readonly [name: string]: unknown };
  /** A heading for the page that asks. */
  readonly title?: string;
  /** What the controls show before anything is typed. */
  readonly prefill?: Value;
  /** Whether the answer is private: pages hide what is typed and keep no draft of it. Default: false. */
  readonly sensitive?: boolean;
  /** How long it waits for its answer, in milliseconds. Default: `answer_timeout_ms` of the block, else as long as it takes. */
  readonly timeoutMs?: number;
  /** What follows then. Default: `on_timeout` of the block, else the block fails. */
  readonly onTimeout?: OnTimeout;
  /** Events that end the question, and what follows then, by their names. Default: `on_event` of the block, else none does. */
  readonly onEvent?: OnEvent;
  /** Set by the engine for the questions of a called workflow. */
  readonly child?: CalledQuestion;
}

/** Where a question of a called workflow comes from. */
export interface CalledQuestion {
  /** Its number in the called run. */
  readonly pause: number;
  readonly path: readonly string[];
  /** The type of the block that asks. */
  readonly asks: string;
  /** Whether it may be left out. */
  readonly skippable?: boolean;
  /** Whether pages offer to decline it. */
  readonly declinable?: boolean;
  /** When it ends by itself, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** What it was answered before a revision. */
  readonly earlier?: EarlierAnswer;
  /** How often it was asked, where that is not once. */
  readonly again?: AskedAgain;
}

/** What a block is given when it runs. */
export interface BlockContext<Inputs, W extends Workflow = Workflow, Resources extends object = object> {
  /** The resolved and checked inputs. */
  readonly inputs: Inputs;
  /** Aborted when the run is cancelled and when the block's time is up. */
  readonly signal: PlatformSignal;
  readonly run: string;
  readonly block: string;
  /** The same text each time this step of this run is tried: give it to services that can tell a repetition. */
  readonly idempotencyKey: string;
  readonly host: Host;
  /** Of what the host granted, what the block type {@link BlockType.needs}. */
  readonly grants: Grants;
  /** 1 for the first execution, one more after each failure that was tried again, and each crash while it may have been executing. */
  readonly attempt: number;
  /**
   * Whether this step may have been executed before: by an attempt that failed, or by a process that died, or lost the run, before it could record
   * the end. A block that finds its own work done already may then take it as done.
   */
  readonly mayHaveRun: boolean;
  /** 1 for the first execution, one more each time the block asked to run again. Failures that are tried again do not count. */
  readonly iteration: number;
  /** What the execution before this one gave to {@link nextIteration}. */
  readonly carried?: unknown;
  /**
   * Lets the block run once more after this execution is recorded, in the next superstep: `return context.nextIteration(value)`. `value` must
   * survive a store. After `max_iterations` executions (default: 100), or 10,000 in the whole run, the block fails with `LIMIT_EXCEEDED`.
   */
  nextIteration(value?: unknown): Again;
  /**
   * Chooses what follows, one or several of the blocks in the `next` of this one, in the place of their conditions. It counts where this execution completes.
   * Throws `DEPENDENCY_UNKNOWN` for a block that is not there. An item chooses nothing: its block does, by the conditions.
   */
  next(ids: string | readonly string[]): void;
  /**
   * Gives what `make` gave under this key before, in this block of this run, for this item and the same inputs: in an earlier attempt, in an earlier iteration, or
   * in a process that has died. Else it calls `make`, and resolves once what that gives is stored. At most one result is ever stored under a key. Two calls with one key at
   * the same time call `make` once, and one that fails stores nothing. A process that dies inside of `make` leaves no trace: it is called again, with the same
   * `idempotencyKey`, which services that can tell a repetition are to be given. The value is a frozen copy, and obeys the rules for outputs.
   *
   * Throws `OUTPUT_INVALID` for a key that is no text of 1 to 256 characters, `VALUE_UNSERIALIZABLE`, `LIMIT_EXCEEDED` and `CHECKPOINT_TOO_LARGE` for a value that cannot be
   * kept, and `ABORTED` where the block has ended or was stopped meanwhile.
   */
  once<T>(key: string, make: (idempotencyKey: string) => T | Promise<T>): Promise<T>;
  /**
   * A resource that the block type declares, live. The first block of the run that asks for it opens it, and all of its type share it; see {@link ResourceType}. Rejects
   * with `RESOURCE_FAILED` where it cannot be opened, and for a name that is not declared.
   */
  resource<Name extends keyof Resources & string>(name: Name): Promise<Resources[Name]>;
  /** The channels of the workflow. */
  readonly channels: ChannelAccess<ChannelsOf<W>, ChannelChangesOf<W>>;
  /**
   * Asks for a checkpoint. It is made once this execution is recorded as completed, or as one that another follows; a failure makes none. `metadata`, JSON of
   * at most 64 kB, is kept with it, with `block`, `item`, `iteration` and `elapsed_ms` added. The last call counts. A block that asks a question, or waits, asks
   * for its checkpoint once it goes on.
   */
  checkpoint(metadata?: { readonly [name: string]: unknown }): void;
  /** The files of the run. */
  readonly files: FileAccess;
  /**
   * Adds blocks to the run, once this execution is recorded as completed, or as one that another follows. They run after this block, in waves of their own, and pass every check
   * of the loader; what is wrong with them fails this block. They may depend on all blocks of the workflow, on each other, and on what this block, or one before it,
   * added; `next`, `on_failure` and `compensate` name blocks that are added with them. Texts in them are templates: refer to a value instead of writing it
   * into one. At most 1,000 in one run. A block that asks a question, or waits, adds once it goes on.
   */
  add(blocks: Block | readonly Block[]): void;
  /** The item, in a block with `for_each`. */
  readonly item?: BlockItem | undefined;
  /** The instant this block waited for, where it goes on after `waitUntil`. */
  readonly wokenAt?: number | undefined;
  /** The event this block waited for, where it goes on with one after `waitFor`. */
  readonly event?: ReceivedEvent | undefined;
  /**
   * The text of an input as the workflow writes it, cut at its references: texts are the author's words, values are data. For inputs that
   * are handed to something that parses. With `item`, the text at this index of a list; a list that is one reference has none.
   */
  parts(input: string, item?: number): readonly TextPart[];
  /** Tells those who listen of something the block wrote while it works. */
  output(stream: OutputStream, text: string): void;
  /** A folder for this step alone, made at the first call and removed after the step. Throws `CAPABILITY_MISSING` where there is none. */
  scratch(): Promise<string>;
  /**
   * Runs another workflow as a child of this block and gives how it stands once nothing of it executes. Idempotent: the child of a block is
   * found again after a crash and goes on, it never runs twice. A child that waits for an instant goes on when it is called again then. `timeoutMs`: how long
   * it may work until then; after that it is cancelled, and this rejects with `BLOCK_TIMEOUT`. Where the block has a time limit of its own, that counts.
   */
  call(workflow: string, inputs: Values, options?: { readonly timeoutMs?: number }): Promise<ChildResult>;
}

/** What came from outside, by `run.signal`. */
export interface ReceivedEvent {
  readonly name: string;
  /** `null` where the sender gave none. */
  readonly value: Value;
}

/** What a block does with the channels of its workflow. Both functions throw `CHANNEL_UNKNOWN` for a channel that it does not declare. */
export interface ChannelAccess<Channels = { readonly [name: string]: unknown }, Changes = { readonly [name: string]: unknown }> {
  /**
   * What the channel held when the wave of the block began, with what the block itself wrote since, in this execution and in those before it. What
   * other blocks of the wave write is seen from the next wave on.
   */
  get<Name extends keyof Channels & string>(name: Name): Channels[Name];
  /**
   * Changes the channel, once the block has completed, or asked to run again; a block that fails changes nothing. What may be written depends on the
   * reducer: a value for `replace`, one more item for `append`, a number for `sum`, members for `merge`, items for `union`. Throws `CHANNEL_INVALID`
   * for what does not fit. A block that asks, or waits, writes once it goes on: what it wrote before fails it.
   */
  write<Name extends keyof Changes & string>(name: Name, change: Changes[Name]): void;
}

/** The bytes of a file: as they are, or as a `Blob` of the platform, a `File` for example. */
export type FileData = Uint8Array | { readonly type: string; readonly size: number; arrayBuffer(): Promise<ArrayBuffer> };

/**
 * What a block does with the files of its run, which belong to it as the outputs of its blocks do. A block sees those that were there when its wave
 * began, and its own; what other blocks of the wave write is seen from the next wave on, and of two with one name the last block of the definition
 * wins. All three functions reject with `PATH_FORBIDDEN` for a name that is none: letters and digits of any language, without folders.
 */
export interface FileAccess {
  /**
   * Writes a file, once the block has completed, or asked to run again; a block that fails leaves none. `type` is its media type; default: that of a
   * `Blob`. Rejects with `LIMIT_EXCEEDED` for more than 10 MB, more than 1,000 files in the run, or more than 64 MB in all of them; `FILE_REFUSED`
   * for what is neither bytes nor a `Blob`; `STORE_QUOTA` where the store is full. A block that asks, or waits, writes once it goes on: what it
   * wrote before fails it.
   */
  write(name: string, data: FileData, options?: { readonly type?: string }): Promise<RunFile>;
  /** A file with its bytes. Rejects with `FILE_MISSING`, and with `RUN_CORRUPT` where the store lost them. */
  read(name: string): Promise<FileValue>;
  list(): Promise<readonly RunFile[]>;
}

/** A piece of a text: the author's own words, or the value of a reference. */
export type TextPart = string | { readonly value: Value };

/** The item that a block with `for_each` runs for. */
export interface BlockItem {
  /** From 0. */
  readonly index: number;
  /** The key of an object's member; the index of a list's item, as text. */
  readonly key: string;
  readonly count: number;
}

/** How a called workflow stands, with the figures a calling block reports. */
export interface ChildResult {
  readonly result: RunResult | Waiting;
  readonly workflow: string;
  readonly executionTimeMs: number;
  readonly totalBlocks: number;
  readonly executionWaves: number;
}

/** What a block is given when its question was answered. */
export interface ResumeContext<
  Inputs,
  Response = unknown,
  W extends Workflow = Workflow,
  Resources extends object = object,
> extends BlockContext<Inputs, W, Resources> {
  /** The answer, as the `answer` of the block type makes it; `null` where the person declined. */
  readonly response: Response;
  /** Set where the person declined to answer, for block types that have {@link BlockType.takesDecline}. */
  readonly action?: "decline" | undefined;
  readonly pause: AnsweredQuestion;
}

/** The question that an answer belongs to, as it was asked. */
export interface AnsweredQuestion {
  readonly prompt: string;
  readonly schema: JsonSchema;
  readonly metadata: { readonly [name: string]: unknown };
}

/**
 * The code behind a block's `type`. Make one with `defineBlock`. A block type holds no state of its own: the same object serves all runs.
 */
export interface BlockType {
  readonly type: string;
  readonly description?: string;
  /** Resolved inputs are checked against it before the block runs. A JSON Schema or any Standard Schema. Default: anything. */
  readonly inputs?: BlockSchema;
  /** Outputs are checked against it before they are recorded. */
  readonly outputs?: BlockSchema;
  /**
   * What answers must look like. Its own rules are checked before anything is recorded, beside the `schema` of the question, and `resume` is
   * given what it makes of the answer; recorded is what was given. The default of {@link Question.schema}.
   */
  readonly answer?: BlockSchema;
  /**
   * What the block needs from the host, or what that is by its inputs as the workflow writes them. A workflow that uses it is refused where the host did
   * not grant it. Default: nothing.
   */
  readonly needs?: readonly Capability[] | ((inputs: Values) => readonly Capability[]);
  /**
   * What executing a block of this type changes outside of the run: nothing that matters (default), something that may be done again
   * (`repeatable`), or something that must not be (`once`); or what that is by its inputs as the workflow writes them. A preview of a revision names the
   * blocks with effects.
   */
  readonly effect?: BlockEffect | ((inputs: Values) => BlockEffect | undefined);
  /**
   * Whether what it gives follows from its inputs and answers alone and nothing else happens, so that a preview of a revision may find it out by
   * executing it. Default: false.
   */
  readonly pure?: boolean;
  /**
   * Which channels the code of the block reads and writes, through {@link BlockContext.channels}; a revision runs those again that read what may have
   * changed. What a workflow says of a block in its texts and in `writes` need not be said here. Default: all, and none for a type that is `pure`.
   */
  readonly channels?: ChannelUse;
  /** What its blocks share in a run and what lives outside of it, by name. */
  readonly resources?: { readonly [name: string]: ResourceType };
  /**
   * What blocks of this type give is taken over where their workflow says so (`cache`), and the code has the same version: change it with code that gives
   * something else for the same inputs. `false`: it is never taken over, since the block waits, or what it gives holds for its run alone. Default: no version.
   */
  readonly cacheVersion?: string | number | false;
  /** Workflows that its code calls. An executor that has the type knows them, and loads with the type what their runs need. Default: none. */
  readonly calls?: readonly Workflow[];
  /** The name of the only workflow in which its blocks may stand: one of those that {@link calls} of another type name. Default: any workflow. */
  readonly within?: string;
  /** Names of the inputs in which secrets may stand; everywhere else they are refused at load. Default: none. */
  readonly secretInputs?: readonly string[];
  /** Names of the inputs that are templates, so that `{{` in them means something. In other texts it is a warning at load. Default: none. */
  readonly templateInputs?: readonly string[];
  execute(context: BlockContext<never>): BlockResult | Promise<BlockResult>;
  /**
   * Continues after an answer: completes, fails, pauses again, or says `invalid`. A block without it cannot pause.
   */
  resume?(context: ResumeContext<never, never>): BlockResult | Promise<BlockResult>;
  /**
   * `once`: each run of the block that succeeds asks exactly one question. From it follows how many questions a run has left. Default:
   * unknown.
   */
  readonly asks?: "once";
  /** Whether `resume` is called also where the person declined to answer. Default: then the block fails with `PAUSE_DECLINED`. */
  readonly takesDecline?: boolean;
  /**
   * Whether {@link checkAnswer} alone decides which answers do. Then the `schema` of its questions is what pages and other clients draw and
   * offer, and more than that may be taken: a number where choices are listed, for example. Default: false, answers fit the schema first.
   */
  readonly judgesAnswers?: boolean;
  /** Loads what the block needs beside its own code, once a workflow uses it: from then on it works offline. */
  load?(): Promise<unknown>;
  /**
   * Looks at an answer before anything is recorded, without effects; what it refuses changes nothing. Gives the problem, or nothing.
   */
  checkAnswer?(answer: {
    readonly response: unknown;
    readonly pause: AnsweredQuestion;
  }): AnswerProblem | undefined | Promise<AnswerProblem | undefined>;
  /**
   * Looks at the inputs before anything runs: `inputs` are those without references, `written` all of them as the definition writes them.
   * Gives what is wrong.
   */
  checkInputs?(inputs: Values, written: Values): InputProblem[] | Promise<InputProblem[]>;
}

/** A block type that the compiler knows the types of: what `defineBlock` gives. */
export interface TypedBlock<Type extends string, Inputs, Outputs, Response> extends BlockType {
  readonly type: Type;
  /** Never there: it only carries the types. */
  readonly "~types"?: { readonly inputs: Inputs; readonly outputs: Outputs; readonly answer: Response };
}

/** Names of channels. */
export interface ChannelUse<W extends Workflow = Workflow> {
  /** A workflow whose channels they are. It gives {@link BlockContext.channels} its types, and nothing else. */
  readonly of?: W;
  readonly reads?: readonly (keyof ChannelsOf<W> & string)[];
  readonly writes?: readonly (keyof ChannelsOf<W> & string)[];
}

/** What values must look like: a JSON Schema, or a schema of a library that follows Standard Schema. */
export type BlockSchema = { readonly jsonSchema: JsonSchema } | StandardSchema;

/** Why an answer does not do. */
export interface AnswerProblem {
  readonly message: string;
  readonly details?: ErrorData["details"];
}

/** What is wrong with an input of a block, found when the workflow is loaded. */
export interface InputProblem {
  /** Name of the input. */
  readonly input: string;
  /** The keys and indexes that lead on from there to the text that is meant. */
  readonly keys?: readonly (string | number)[];
  /** Place in that text, from 1. */
  readonly column?: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** A warning does not keep the workflow from running. Default: `error`. */
  readonly severity?: "error" | "warning";
}

/** What executing a block changes outside of its run. */
export type BlockEffect = "repeatable" | "once";

/** What a block changes outside of its run, as it says itself or its type says of it. */
export function effectOf({ effect: own, inputs = {} }: Block, type: BlockType | undefined): BlockEffect | undefined {
  const effect = own ?? type?.effect;
  return typeof effect === "function" ? effect(inputs) : effect;
}

/** What a block of this type needs from the host, with these inputs as the workflow writes them. */
export function neededBy({ needs = [] }: BlockType, inputs: Values = {}): readonly Capability[] {
  return typeof needs === "function" ? needs(inputs) : needs;
}

/** The block is done. */
export function success<const Outputs>(outputs: Outputs): Success<Outputs> {
  return { status: "success", outputs };
}

/** The block failed. `outputs` are what it produced before. */
export function failure(error: string | CausedError, outputs?: unknown): Failure {
  const data: CausedError = typeof error === "string" ? { code: "BLOCK_FAILED", message: error } : error;
  return outputs === undefined ? { status: "failure", error: data } : { status: "failure", error: data, outputs };
}

const QUESTION: OptionNames<Question> = {
  prompt: true,
  schema: true,
  metadata: true,
  title: true,
  prefill: true,
  sensitive: true,
  timeoutMs: true,
  onTimeout: true,
  onEvent: true,
  child: true,
};

/** The block asks something and waits, as long as it takes. Throws `KEY_UNKNOWN` for a key that a question does not have. */
export function pause(question: Question): Paused {
  assertOptions("pause", question, QUESTION);
  return { status: "paused", questions: [question] };
}

/**
 * The block continues at this instant (milliseconds since the epoch), however long that is, across restarts. One that is past
 * counts as {@link BlockContext.nextIteration} does towards the 10,000 of a run.
 */
export function waitUntil(instant: number): WaitingUntil {
  return { status: "waiting", until: instant };
}

/** The answer does not do: the question stays open, with this message. */
export function invalid(message: string, details?: ErrorData["details"]): Invalid {
  return { status: "invalid", error: { code: "RESPONSE_INVALID", message, ...(details ? { details } : {}) } };
}
