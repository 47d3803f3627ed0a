import type { JsonSchema } from "./json-schema.ts";
import type { LocalizedText } from "./localized-text.ts";
import type { RunPolicy } from "./policy.ts";
import type { Value, Values } from "./value.ts";

/** The canonical type names; the loader also knows the short spellings `str`, `int`, `num`, `float`, `bool`, `list`, `dict`. */
export type ValueType = "string" | "integer" | "number" | "boolean" | "array" | "object";

/** An input that a run is given. */
export interface InputDeclaration {
  readonly type: ValueType;
  readonly description?: string;
  /** Whether a run must be given this input. Default: true where there is no `default`. */
  readonly required?: boolean;
  readonly default?: Value;
  readonly enum?: readonly Value[];
  /** Kept out of the store, events, errors and outputs; a run that is read again asks the secrets provider for it by its name. */
  readonly secret?: boolean;
}

/** State that the blocks of a run share. Each block that changes it gives a change, and a reducer combines what they give. */
export interface ChannelDeclaration {
  /** What it holds. Default: what its reducer makes, and any value for `replace` and reducers of the host. */
  readonly type?: ValueType;
  /** More about what it holds. Of a list, `items` is what each change is checked against; of an object, its members. Default: any value of its type. */
  readonly schema?: JsonSchema;
  readonly description?: string;
  /** What it holds when a run begins. Default: nothing of its type: null, an empty list or object, 0. */
  readonly default?: Value;
  /**
   * How a change joins what is there: `replace` puts it in its place, `append` adds it to the end of a list, `sum` adds a number, `merge` puts the members
   * of an object over those that are there, `union` adds what a list does not hold yet; any other name is one of a reducer that the host gives. Default: `replace`.
   */
  readonly reduce?: string;
}

/** An output of a workflow. */
export interface OutputDeclaration {
  /** A template; see the language reference. */
  readonly value: Value;
  /** What pages call it: a text, or one a language. Default: the title of the field whose answer it is, else its name. */
  readonly title?: LocalizedText;
  /** What the resolved value is converted to. Default: left as it is. */
  readonly type?: ValueType;
  readonly description?: string;
}

/** Which of the times that passed while nothing was there to start runs are made up for. */
export const CATCH_UPS = ["none", "last", "all"] as const;

/** When runs of a workflow start by themselves, wherever an executor runs schedules. */
export interface Schedule {
  /** Minute, hour, day of the month, month and day of the week, as cron has them: `0 9 * * MON-FRI`. */
  readonly cron: string;
  /** The name of the time zone in which that is meant, such as `Europe/Berlin`. Default: `UTC`. */
  readonly timeZone?: string;
  /** What its runs are given. */
  readonly inputs?: Values;
  /** The input, a string, that is given the time for which a run starts, such as `2026-11-24T08:00:00Z`. Default: none is. */
  readonly timeInput?: string;
  /**
   * What becomes of times that passed unnoticed: `none` is made up for, the `last` one, or `all`, the oldest first, at most the last 1,000. Default: `last`.
   */
  readonly catchUp?: (typeof CATCH_UPS)[number];
}

/** A block that has to be settled before this one runs. */
export interface Dependency {
  readonly block: string;
  /** Whether a skipped dependency skips this block too. Default: true. */
  readonly required?: boolean;
}

/** A block that comes next. */
export interface NextBlock {
  readonly to: string;
  /** Whether this way is taken; sees what the block gave. Default: true. */
  readonly when?: string | boolean;
}

/** Milliseconds between two tries of a block at most, where its {@link RetryPolicy} does not say. */
export const DEFAULT_MAX_DELAY_MS = 60_000;

/** When a block that failed is tried again. */
export interface RetryPolicy {
  /** Executions in all, the first one counted. 1 to 100. */
  readonly maxAttempts: number;
  /** Milliseconds before the second attempt. Default: 1,000. */
  readonly delayMs?: number;
  /** What each delay is multiplied with to give the next, 1 to 10. Default: 2. */
  readonly backoff?: number;
  /** No delay is longer. Default: 60,000 (a minute). */
  readonly maxDelayMs?: number;
  /** Part of each delay that is left to chance, 0 to 1, so that many runs do not come back at once. Default: 0. */
  readonly jitter?: number;
}

/** How long what a block gave is there for other runs. */
export interface CachePolicy {
  /** Milliseconds, 1 to 2,592,000,000 (30 days). */
  readonly ttlMs: number;
}

/** An output that a block leaves in a file. */
export interface FileOutput {
  /** Relative to the root the host grants; `$SCRATCH/…` for the directory a step has to itself. A template. */
  readonly path: string;
  /** What the text of the file is converted to; line ends at its end are dropped. Default: string. */
  readonly type?: ValueType;
  readonly description?: string;
  /** A pattern (RE2) that the text must match at its start. */
  readonly validation?: string;
  /** Whether the block fails where the file is missing; else the output is null. Default: true. */
  readonly required?: boolean;
  /** Allows an absolute path, where the host allows such paths. Default: false. */
  readonly unsafe?: boolean;
}

/** What follows when no answer comes in time. */
export type OnTimeout = "fail" | "skip" | { readonly answer: Value };

/** What follows when an event ends a question, by the name of the event. */
export interface OnEvent {
  readonly [event: string]: OnTimeout;
}

/** A block of a workflow: a type of block, what it is given, and when it runs. */
export interface Block {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  /** Templates, resolved just before the block runs. */
  readonly inputs?: { readonly [name: string]: Value };
  readonly dependsOn?: readonly (string | Dependency)[];
  /** `any`: it is enough that one of the blocks before this one was not skipped. Default: `all` that are required. */
  readonly join?: "all" | "any";
  /** The block is skipped where this expression is false. */
  readonly condition?: string | boolean;
  /** Blocks that depend on this one, of which the first whose `when` holds runs. The others are skipped. */
  readonly next?: readonly (string | NextBlock)[];
  /** A failure of this block does not fail the run. Default: false. */
  readonly continueOnError?: boolean;
  /** A block that depends on this one and runs only where this one fails. Such a failure does not fail the run. */
  readonly onFailure?: string;
  /** A block outside of the plan that undoes this one: it runs where the run fails or is cancelled after this one completed. */
  readonly compensate?: string;
  /** Default: a failure is final. */
  readonly retry?: RetryPolicy;
  /** How long one attempt may take, waiting for answers and instants left out. Default: no bound of the engine's own. */
  readonly timeoutMs?: number;
  /** A list, an object, a count or a reference to one: the block runs once for each item, or so often. */
  readonly forEach?: Value;
  /** Items that run at the same time. Default: as many as blocks of a wave. */
  readonly maxParallel?: number;
  /** Of the blocks of a wave, those with more begin first, where fewer may run at the same time than are ready. Default: 0. */
  readonly priority?: number;
  /** Changes of channels, by their names: templates, resolved when the block has completed, with its own outputs in reach. */
  readonly writes?: { readonly [channel: string]: Value };
  /** While this holds, looked at when the block has completed, the block runs once more. */
  readonly repeatWhile?: string | boolean;
  /** How often the block may run where it asks to run again. Default: 100. */
  readonly maxIterations?: number;
  /** Outputs read from files after the block has run, beside its own. */
  readonly outputs?: { readonly [name: string]: FileOutput };
  /** Where a block of the same type was given the same in this time, in any run of the store, its outputs are taken over. Default: the block is executed. */
  readonly cache?: CachePolicy;
  /** `once`: the block is never executed again where its outcome is unknown; a person is asked instead. Default: it may run again. */
  readonly effect?: "once";
  /** How long a question of the block waits for its answer. Default: as long as it takes. */
  readonly answerTimeoutMs?: number;
  /** What follows then. Default: the block fails with `PAUSE_TIMEOUT`. */
  readonly onTimeout?: OnTimeout;
  /** Events that end a question of the block, and what follows then, by their names. Default: none does. */
  readonly onEvent?: OnEvent;
  /** Whether the person asked may leave the question out: then the block is skipped. Default: false. */
  readonly skippable?: boolean;
  /** Whether pages offer the person asked to decline, which fails the block unless its type makes something of it. Default: false. */
  readonly declinable?: boolean;
  /** What a revision does with an answer that the block had: keep it where the question is the same, show it for review, or ask anew. Default: keep, and ask anew for a `Review`. */
  readonly onRevise?: "keep" | "review" | "ask_again";
  /** How often the called workflow may stand in the chain of calls that leads to itself. Default: 1, no recursion. */
  readonly maxDepth?: number;
}

/** Whether a run goes on where this block fails. */
export function survivesFailure({ continueOnError, onFailure }: Block): boolean {
  return continueOnError === true || onFailure !== undefined;
}

/** A definition. Immutable once loaded; identified by the hash of its canonical form. */
export interface Workflow {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly author?: string;
  /** What lists show a run by: a template over its inputs and the outputs of its blocks. What is not known yet is left out. */
  readonly label?: string;
  /** What lists find a run by, under names: templates over its inputs and the outputs of its blocks. What is not known yet is left out. */
  readonly search?: { readonly [name: string]: string };
  readonly tags?: readonly string[];
  readonly inputs?: { readonly [name: string]: InputDeclaration };
  /**
   * How runs of it are written and what is kept of them, where it is not called by another one. What a start says takes the place of it. Default: as the
   * executor says.
   */
  readonly policy?: RunPolicy;
  /** When runs of it start by themselves. Default: they never do. */
  readonly schedule?: Schedule;
  /** State that the blocks share, by name. A called workflow has its own and sees none of its caller's. */
  readonly channels?: { readonly [name: string]: ChannelDeclaration };
  readonly blocks: readonly Block[];
  readonly outputs?: { readonly [name: string]: string | OutputDeclaration };
}

/** What a revision does with an answer of a block. What a person looked over in a `Review` they have not looked over once it is otherwise. */
export function onReviseOf({ type, onRevise = type === "Review" ? "ask_again" : "keep" }: Block): NonNullable<Block["onRevise"]> {
  return onRevise;
}

/** Names of the block types whose input `workflow` names another workflow, and whose input `inputs` is what that one is given. */
export const CALLING_TYPES: ReadonlySet<string> = new Set(["ExecuteWorkflow", "Workflow"]);
