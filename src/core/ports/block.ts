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
  /** What the block produced before it failed. With `continue_on_error` the blocks after it see this. */
  readonly outputs?: unknown;
}

/** The block asks, and waits for the answers. */
export interface Paused {
  readonly status: "paused";
  readonly questions: readonly Question[];
}

/** The block runs again. Made by {@link BlockContext.nextIteration}. */
export interface Again {
  readonly status: "again";
  readonly value: unknown;
}

/**
 * The block continues at an instant or with an event, whichever comes first. It is then executed again with {@link BlockContext.wokenAt} or
 * {@link BlockContext.event}, perhaps in another process.
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
  /** When it continues without the event, in milliseconds since the epoch. Default: never. */
  readonly until?: number;
  /** What the value must look like: a signal that does not fit is refused. Default: anything. */
  readonly schema?: JsonSchema | StandardSchema;
}

/**
 * The block waits for the first of these events to come by `run.signal`, however long that takes, across restarts. An event that came earlier counts
 * too. Throws `KEY_UNKNOWN` for an unknown option.
 */
export function waitFor(events: string | readonly string[], options: WaitForOptions = {}): Waiting {
  assertOptions("waitFor", options, { until: true, schema: true });
  return { status: "waiting", events: [events].flat(), ...options };
}

/** The block waits for an instant. */
export interface WaitingUntil extends Waiting {
  readonly until: number;
}

/** The block refuses the answer: nothing changes, and the question stays open. */
export interface Invalid {
  readonly status: "invalid";
  readonly error: ErrorData;
}

/** What a block asks when it pauses. */
export interface Question {
  /** Plain text. Shown as it is, never as HTML. */
  readonly prompt: string;
  /**
   * What an answer must look like: a JSON Schema, or the schema of a library that can give its JSON Schema; its other rules do not count. Default:
   * the `answer` of the block type, else any text that is not empty.
   */
  readonly schema?: JsonSchema | StandardSchema;
  /** What `resume` gets back. Must be storable. */
  readonly metadata?: { readonly [name: string]: unknown };
  /** A heading for the page that asks. */
  readonly title?: string;
  /** What the controls show before anything is typed. */
  readonly prefill?: Value;
  /** Whether the answer is private: pages hide what is typed and keep no draft of it. Default: false. */
  readonly sensitive?: boolean;
  /** How long it waits for its answer, in milliseconds. Default: `answer_timeout_ms` of the block, else without limit. */
  readonly timeoutMs?: number;
  /** What follows when the time is up. Default: `on_timeout` of the block, else the block fails. */
  readonly onTimeout?: OnTimeout;
  /** Events that end the question, by name, and what follows then. Default: `on_event` of the block, else none. */
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
  /** Whether the person may skip it. */
  readonly skippable?: boolean;
  /** Whether pages offer to decline it. */
  readonly declinable?: boolean;
  /** When it ends by itself, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** What it was answered before a revision. */
  readonly earlier?: EarlierAnswer;
  /** How often it was asked, if more than once. */
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
  /** The same text each time this step of this run is tried. Pass it to services, so that they can recognise a repeated request. */
  readonly idempotencyKey: string;
  readonly host: Host;
  /** What the host granted, as far as the block type {@link BlockType.needs} it. */
  readonly grants: Grants;
  /** 1 for the first execution, one more for each retry, and for each crash while the block may have been executing. */
  readonly attempt: number;
  /**
   * Whether this step may have been executed before: by an attempt that failed, or by a process that died or lost the run before it could record the
   * end. A block that then finds its work done already may take it as done.
   */
  readonly mayHaveRun: boolean;
  /** 1 for the first execution, one more each time the block asked to run again. Retries do not count. */
  readonly iteration: number;
  /** What the previous execution passed to {@link nextIteration}. */
  readonly carried?: unknown;
  /**
   * Has the block run again in the next superstep: `return context.nextIteration(value)`. `value` must be storable. After `max_iterations`
   * executions (default: 100), or 10,000 in the whole run, the block fails with `LIMIT_EXCEEDED`.
   */
  nextIteration(value?: unknown): Again;
  /**
   * Chooses what follows, in place of the conditions: one or several of the blocks in the `next` of this one. Counts if this execution completes.
   * Throws `DEPENDENCY_UNKNOWN` for other blocks. An item of a block with `for_each` chooses nothing; for that block the conditions decide.
   */
  next(ids: string | readonly string[]): void;
  /**
   * Calls `make`, stores its result under this key, and resolves with a frozen copy. If a result is stored already, resolves with that and does not
   * call `make`: one of an earlier attempt, an earlier iteration, or a process that has died. Keys belong to this block of this run, to the item, and
   * to the inputs. At most one result is ever stored under a key: two calls at the same time call `make` once, and a call that fails stores nothing.
   * If the process dies inside of `make`, it is called again with the same `idempotencyKey`: pass that to the service. Results obey the rules for
   * outputs.
   *
   * Throws `OUTPUT_INVALID` for a key that is not a text of 1 to 256 characters; `VALUE_UNSERIALIZABLE`, `LIMIT_EXCEEDED` and `CHECKPOINT_TOO_LARGE`
   * for a value that cannot be stored; and `ABORTED` where the block has ended or was stopped meanwhile.
   */
  once<T>(key: string, make: (idempotencyKey: string) => T | Promise<T>): Promise<T>;
  /**
   * Gives the live form of a resource that the block type declares. The first block of the run that asks for it opens it, and all blocks of the type
   * share it; see {@link ResourceType}. Rejects with `RESOURCE_FAILED` where it cannot be opened, and for a name that is not declared.
   */
  resource<Name extends keyof Resources & string>(name: Name): Promise<Resources[Name]>;
  /** The channels of the workflow. */
  readonly channels: ChannelAccess<ChannelsOf<W>, ChannelChangesOf<W>>;
  /**
   * Asks for a checkpoint, which is made when this execution completes or asks for the next iteration. A failure makes none. `metadata`, JSON of at
   * most 64 kB, is kept with it; the engine adds `block`, `item`, `iteration` and `elapsed_ms`. The last call counts. A block that asks a question or
   * waits calls this after it has continued.
   */
  checkpoint(metadata?: { readonly [name: string]: unknown }): void;
  /** The files of the run. */
  readonly files: FileAccess;
  /**
   * Adds blocks to the run when this execution completes or asks for the next iteration. They run after this block, in waves of their own. They are
   * checked like loaded blocks, and a mistake in them fails this block. They may depend on any block of the workflow, on each other, and on blocks
   * that this block or an earlier one added; `next`, `on_failure` and `compensate` name blocks that are added with them. Texts in them are templates:
   * refer to a value instead of writing it into a text. At most 1,000 in one run. A block that asks a question or waits calls this after it has
   * continued.
   */
  add(blocks: Block | readonly Block[]): void;
  /** The item, in a block with `for_each`. */
  readonly item?: BlockItem | undefined;
  /** The instant that this block waited for, when it continues after `waitUntil`. */
  readonly wokenAt?: number | undefined;
  /** The event that this block waited for, when it continues after `waitFor`. */
  readonly event?: ReceivedEvent | undefined;
  /**
   * The text of an input as the workflow writes it, cut at its references: texts are the author's words, values are data. Use it for inputs that
   * another program parses, such as a shell. With `item`: the text at this index of a list; a list that is one reference has none.
   */
  parts(input: string, item?: number): readonly TextPart[];
  /** Reports what the block writes while it works, as an event `output`. */
  output(stream: OutputStream, text: string): void;
  /** A folder for this step alone, made at the first call and removed after the step. Throws `CAPABILITY_MISSING` where there is none. */
  scratch(): Promise<string>;
  /**
   * Runs another workflow as a child of this block, and gives its state once nothing of it executes. Idempotent: after a crash the same child is found
   * and continued, so it never runs twice. A child that waits for an instant continues when you call it again after that. `timeoutMs` limits how long
   * it works in one call: then it is cancelled, and this rejects with `BLOCK_TIMEOUT`. A time limit of the block itself takes precedence.
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
   * What the channel held when the wave of this block began, with what the block itself has written since, in this execution and earlier ones. What
   * other blocks of the wave write shows in the next wave.
   */
  get<Name extends keyof Channels & string>(name: Name): Channels[Name];
  /**
   * Changes the channel when this execution completes or asks for the next iteration. A failure changes nothing. The reducer says what you may write:
   * a value for `replace`, one more item for `append`, a number for `sum`, members for `merge`, items for `union`. Throws `CHANNEL_INVALID` for other
   * values. A block that asks a question or waits calls this after it has continued: earlier writes fail it.
   */
  write<Name extends keyof Changes & string>(name: Name, change: Changes[Name]): void;
}

/** The bytes of a file, or a `Blob` of the platform, such as a `File`. */
export type FileData = Uint8Array | { readonly type: string; readonly size: number; arrayBuffer(): Promise<ArrayBuffer> };

/**
 * The files of a run. A block sees the files that were there when its wave began, and its own. What other blocks of the wave write shows in the next
 * wave; if two write one name, the later block of the definition wins. A name has letters and digits of any language, and no folders: for others all
 * three functions reject with `PATH_FORBIDDEN`.
 */
export interface FileAccess {
  /**
   * Writes a file, which counts when this execution completes or asks for the next iteration. A failure leaves no file. `type` is the media type;
   * default: that of the `Blob`. Rejects with `LIMIT_EXCEEDED` for more than 10 MB, for more than 1,000 files in the run, or more than 64 MB in all of
   * them; `FILE_REFUSED` for what is neither bytes nor a `Blob`; `STORE_QUOTA` where the store is full. A block that asks a question or waits calls
   * this after it has continued: earlier writes fail it.
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

/** The state of a called run, with the figures that the calling block reports. */
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
   * What answers must look like: the default of {@link Question.schema}. If it is the schema of a library, its rules are checked too, before anything
   * is recorded. The journal keeps the answer as it was given; `resume` gets what the schema makes of it.
   */
  readonly answer?: BlockSchema;
  /**
   * What the block needs from the host: a list, or a function of its inputs as the workflow writes them. A workflow with a block that needs more than
   * the host granted is refused. Default: nothing.
   */
  readonly needs?: readonly Capability[] | ((inputs: Values) => readonly Capability[]);
  /**
   * What a block of this type changes outside of the run: nothing that matters (default), something that may be done again (`repeatable`), or
   * something that must not be (`once`). Or a function that says so by its inputs as the workflow writes them. A preview of a revision names the blocks
   * with effects.
   */
  readonly effect?: BlockEffect | ((inputs: Values) => BlockEffect | undefined);
  /**
   * Whether its outputs follow from its inputs and answers alone, and nothing else happens. Then a preview of a revision executes it to learn them.
   * Default: false.
   */
  readonly pure?: boolean;
  /**
   * The channels that its code reads and writes through {@link BlockContext.channels}. A revision runs blocks again that read what may have changed.
   * Leave out channels that only the workflow names, in texts and in `writes`. Default: all; for a type that is `pure`, none.
   */
  readonly channels?: ChannelUse;
  /** What lives outside of the run and all its blocks share, by name. */
  readonly resources?: { readonly [name: string]: ResourceType };
  /**
   * The version of the code, for blocks whose workflow says `cache`: their outputs are reused only under the same version. Change it when your code
   * gives something else for the same inputs. `false`: outputs are never reused, since the block waits, or its outputs hold for its run alone.
   * Default: no version.
   */
  readonly cacheVersion?: string | number | false;
  /** Workflows that its code calls. An executor that has the type has these too. Default: none. */
  readonly calls?: readonly Workflow[];
  /** The name of the only workflow that may have blocks of this type: one in the {@link calls} of another type. Default: any workflow. */
  readonly within?: string;
  /** Names of the inputs that may hold secrets. Elsewhere secrets are refused at load. Default: none. */
  readonly secretInputs?: readonly string[];
  /** Names of the inputs that are templates. In other texts `{{` is a warning at load. Default: none. */
  readonly templateInputs?: readonly string[];
  execute(context: BlockContext<never>): BlockResult | Promise<BlockResult>;
  /**
   * Continues with an answer: completes, fails, pauses again, or returns `invalid`. A block without it cannot pause.
   */
  resume?(context: ResumeContext<never, never>): BlockResult | Promise<BlockResult>;
  /**
   * `once`: a block that succeeds has asked exactly one question. Pages then know how many questions are left. Default: unknown.
   */
  readonly asks?: "once";
  /** Whether `resume` is also called when the person declines. Default: false, the block fails with `PAUSE_DECLINED`. */
  readonly takesDecline?: boolean;
  /**
   * Whether {@link checkAnswer} alone decides which answers fit. Then the `schema` of a question is only what pages and other clients draw, and an
   * answer need not match it: a number in place of a listed choice, for example. Default: false, answers must match the schema first.
   */
  readonly judgesAnswers?: boolean;
  /** Loads what the block needs beside its own code. Called when a workflow first uses it, so that it then works offline. */
  load?(): Promise<unknown>;
  /**
   * Checks an answer before anything is recorded, without effects. Gives the problem, or nothing. A refused answer changes nothing.
   */
  checkAnswer?(answer: {
    readonly response: unknown;
    readonly pause: AnsweredQuestion;
  }): AnswerProblem | undefined | Promise<AnswerProblem | undefined>;
  /**
   * Checks the inputs before anything runs, and gives what is wrong: `inputs` are those without references, `written` all of them as the definition
   * writes them.
   */
  checkInputs?(inputs: Values, written: Values): InputProblem[] | Promise<InputProblem[]>;
}

/** A block type whose types the compiler knows: what `defineBlock` gives. */
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

/** Why an answer is refused. */
export interface AnswerProblem {
  readonly message: string;
  readonly details?: ErrorData["details"];
}

/** What is wrong with an input of a block, found when the workflow is loaded. */
export interface InputProblem {
  /** Name of the input. */
  readonly input: string;
  /** The keys and indexes that lead from the input to the wrong text. */
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

/** What a block changes outside of its run: as the block says itself, or else its type. */
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

/** The block asks a question and waits for the answer. Throws `KEY_UNKNOWN` for a key that a question does not have. */
export function pause(question: Question): Paused {
  assertOptions("pause", question, QUESTION);
  return { status: "paused", questions: [question] };
}

/**
 * The block continues at this instant (milliseconds since the epoch), however far ahead, across restarts. An instant in the past counts towards the
 * 10,000 iterations of a run, as {@link BlockContext.nextIteration} does.
 */
export function waitUntil(instant: number): WaitingUntil {
  return { status: "waiting", until: instant };
}

/** Refuses the answer: the question stays open, with this message. */
export function invalid(message: string, details?: ErrorData["details"]): Invalid {
  return { status: "invalid", error: { code: "RESPONSE_INVALID", message, ...(details ? { details } : {}) } };
}
