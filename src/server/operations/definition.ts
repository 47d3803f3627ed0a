import * as z from "zod/mini";
import type { RunResult } from "../../core/model/result.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import type { LinkOptions } from "../links.ts";
import type { Right } from "../protocol/operations.ts";
import { MOVED_REPLY, RUN_REPLY, type Schema } from "./schemas.ts";

/** What an operation works with. */
export interface Call {
  readonly executor: Executor;
  /** Aborts when the caller is gone: nothing need wait any longer. */
  readonly signal: AbortSignal;
  /** The token of a link; see `Served.link`. */
  link(options: LinkOptions): Promise<string>;
  /** Whether the caller has a right, for this run if one is named. */
  may(right: Right, run?: string): Promise<boolean>;
  /** Whether the caller may read another run too. */
  mayRead(run: string, workflow?: string): Promise<boolean>;
}

/** A run that is moved. Its result may take its time, so the answer waits only for a while. */
export interface Moved {
  readonly run: string;
  readonly result: Promise<RunResult | void>;
}

/** The input and output of an operation. Its line of the table gives its address and the right that it needs. */
export interface Definition {
  readonly summary: string;
  readonly input: Schema;
  readonly output: Schema;
  /** The rights that an input needs beside that of its operation. */
  needs?(input: never): readonly Need[];
  handle(call: Call, input: never): Promise<unknown>;
}

/** A right, with its run if it is not that of the operation. */
export interface Need {
  readonly right: Right;
  readonly run?: string;
}

interface Parts<Input extends z.ZodMiniType, Output> {
  readonly summary: string;
  readonly input: Input;
  needs?(input: z.infer<Input>): readonly Need[];
  handle(call: Call, input: z.infer<Input>): Promise<Output>;
}

/** Defines an operation that returns a value. */
export function givesValue<Input extends z.ZodMiniType>(output: Schema, parts: Parts<Input, unknown>): Definition {
  return { ...parts, output } as Definition;
}

/** Defines an operation that returns a run. */
export function givesRun<Input extends z.ZodMiniType>(parts: Parts<Input, Run>): Definition {
  return { ...parts, output: RUN_REPLY } as Definition;
}

/** Writes an operation down that moves a run. */
export function movesRun<Input extends z.ZodMiniType>(parts: Parts<Input, Moved>): Definition {
  return { ...parts, output: MOVED_REPLY } as Definition;
}

/** Defines an operation that returns a stream of events, which `serve` makes itself. */
export function givesEvents(summary: string, input: Schema): Definition {
  return { summary, input, output: z.string(), handle: async () => undefined };
}

/** Moves a run of the input. Throws what opening it throws. */
export async function moveRun({ executor, signal }: Call, id: string, move: (run: Run) => Promise<RunResult | void>): Promise<Moved> {
  const run = await executor.open(id, { signal });
  return { run: run.id, result: move(run) };
}
