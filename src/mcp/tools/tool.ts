import * as z from "zod/mini";
import { isWorkflowError, type ErrorData } from "../../core/model/errors.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { BlockType } from "../../core/ports/block.ts";
import type { SecretsProvider } from "../../core/ports/grants.ts";
import type { AbortSignalLike } from "../../core/ports/host.ts";
import type { Access } from "./access.ts";

/** What tools work on. */
export interface ToolHost {
  /** The executor, opened at the first call that needs one. Throws where there is none. */
  executor(): Promise<Executor>;
  /** The workflows that clients may know, by name. */
  readonly workflows: ReadonlyMap<string, Workflow>;
  readonly access: Access;
  /** Block types beside the built-in ones, for workflows that clients write. */
  readonly blocks: readonly BlockType[];
  /** Gives the values of secret inputs: clients never give or see them. */
  readonly secrets: SecretsProvider;
  /** Which workflows are tools of their own: all that may be started, or those with one of these tags. */
  readonly workflowTools: boolean | readonly string[];
}

/** One call of a tool. */
export interface ToolCall {
  /** Ends the waiting. The run goes on. */
  readonly signal?: AbortSignalLike;
  /** Told of the run that the call moves, once it is known. */
  onRun?(run: Run): void;
  /** Told of each wave that has ended, where the call moves a run. */
  onProgress?(done: number, total: number, message: string): void;
}

/** What a client does with a tool, for those who show tools to people. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

/** Plain JSON, as tools answer. */
export type Answered = Readonly<Record<string, unknown>>;

/** One line of the table of tools, from which servers, pages and the docs make theirs. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For language models: what it does, when to use it, what follows. */
  readonly description: string;
  readonly hints: ToolHints;
  /** Whether it answers how a run stands, so that open questions may be asked at once. */
  readonly moves: boolean;
  readonly input: z.ZodMiniType;
  readonly output: z.ZodMiniType;
  /** Does the work. `input` has been checked. Throws `WorkflowError`; see {@link refused}. */
  call(input: unknown, call: ToolCall): Promise<Answered>;
}

/** A tool before it knows its host. */
export interface ToolDefinition<Input extends z.ZodMiniType, Output extends z.ZodMiniType> extends Omit<Tool, "input" | "output" | "call"> {
  readonly input: Input;
  readonly output: Output;
  handle(host: ToolHost, input: z.infer<Input>, call: ToolCall): Promise<z.infer<Output> & Answered>;
}

/** Binds a tool to the host it works on. */
export type BindTool = (host: ToolHost) => Tool;

export const READS: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const MOVES: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
/** Doing it again changes nothing more. */
export const SETTLES: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
export const ENDS: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** Writes a tool down; the types of its schemas are those of its handler. */
export function defineTool<Input extends z.ZodMiniType, Output extends z.ZodMiniType>(tool: ToolDefinition<Input, Output>): BindTool {
  const { handle, ...line } = tool;
  return (host) => ({ ...line, call: (input, call) => handle(host, input as z.infer<Input>, call) });
}

/** A text with what it means, for the model that fills it in. */
export function text(about: string): z.ZodMiniString {
  return z.string().check(z.describe(about));
}

/** An error as tools answer it. What is no `WorkflowError` is a fault of the program and is thrown on. */
export function refused(thrown: unknown): Answered {
  if (!isWorkflowError(thrown)) throw thrown;
  return { status: "failure", ...errorMembers(thrown.toJSON()) };
}

/** The members of an answer that say what went wrong. */
export function errorMembers({ code, message, details }: ErrorData): Answered {
  return { code, error: message, ...(details ? { details } : {}) };
}
