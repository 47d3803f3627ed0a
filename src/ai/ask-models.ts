import type * as Ai from "ai";
import type { LanguageModel, ModelMessage, TextPart, ToolSet } from "ai";
import { readySchema } from "../core/expression/ready-schema.ts";
import { errorData, isWorkflowError, WorkflowError } from "../core/model/errors.ts";
import type { FileValue } from "../core/model/file-value.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type { Value } from "../core/model/value.ts";
import type { BlockContext } from "../core/ports/block.ts";
import { findModel, type FoundModel } from "./models.ts";
import { addUsed, leftOf, type Limits, limitReached, type Used } from "./spending.ts";

/** Characters that one reply may have, with what a model thinks: more than a step can record. */
const MAX_WRITTEN = 1_048_576;

let loaded: typeof Ai | undefined;

/** Loads the package, which makes globals of its own: not before a workflow asks a model. */
export async function loadModels(): Promise<void> {
  loaded ??= await import("ai");
}

/** What a model is asked, as inputs of a block give it. */
export interface Question {
  readonly messages?: readonly unknown[] | undefined;
  readonly prompt?: string | undefined;
  readonly files?: readonly unknown[] | undefined;
}

/** What a model is asked: a conversation, which the prompt and its files end. Gives nothing where there is none. */
export function messagesOf({ messages = [], prompt, files = [] }: Question): readonly ModelMessage[] {
  // The schemas of the inputs have looked at them, and the package looks at their parts.
  const before = messages as readonly ModelMessage[];
  const shown = (files as readonly FileValue[]).map(
    ({ name, type, bytes }) => ({ type: "file", data: bytes, mediaType: type, filename: name }) as const,
  );
  if (shown.length > 0) return [...before, { role: "user", content: [...(prompt === undefined ? [] : [textPart(prompt)]), ...shown] }];
  return prompt === undefined ? before : [...before, { role: "user", content: prompt }];
}

const textPart = (text: string): TextPart => ({ type: "text", text });

/** A tool as a model is shown it. */
export interface ShownTool {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** What models are asked, once. */
export interface Asked {
  /** Names of models: where one fails the next is asked. */
  readonly models: readonly string[];
  /** The place in them at which to begin. */
  readonly from?: number;
  readonly system?: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools?: { readonly [name: string]: ShownTool };
  /** What the reply must look like, as JSON. */
  readonly schema?: JsonSchema | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly limits?: Limits | undefined;
  /** What counts towards the limits already. */
  readonly used: Used;
}

/** What a model said. */
export interface Reply {
  readonly text: string;
  /** What the text says, where a schema says what it must look like. */
  readonly value?: Value;
  readonly calls: readonly ToolCall[];
  /** What it said as the messages that a conversation goes on with. */
  readonly messages: readonly ModelMessage[];
  readonly finishReason: string;
  readonly model: string;
  /** Its place among the models. */
  readonly place: number;
  /** With what counted before. */
  readonly used: Used;
}

/** A model that did not answer. */
export interface FailedModel {
  readonly model: string;
  readonly message: string;
  /** With what it said before it failed, or that did not fit. */
  readonly used: Used;
}

/** A call of a tool that a model wants made. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

type Context = Pick<BlockContext<unknown>, "grants" | "host" | "once" | "output" | "signal">;

/**
 * Asks one model once, and the next one where it fails or says what does not fit. Each failure is stored, so that after a crash, or when the block is tried again, no model
 * is asked that has failed already; the last one alone is tried again. Throws `BLOCK_FAILED` where none answers, `LIMIT_EXCEEDED` and `CAPABILITY_MISSING`.
 */
export async function askModels(context: Context, asked: Asked): Promise<Reply & { readonly failed: readonly FailedModel[] }> {
  const { models, from = 0 } = asked;
  const failed: FailedModel[] = [];
  let { used } = asked;
  for (const [place, name] of models.entries()) {
    if (place < from) continue;
    const found = findModel(context.grants, name);
    let reply: Spoken | undefined;
    const ask = async (): Promise<FailedModel> => {
      let spent = used;
      try {
        const spoken = await askModel(context, found, { ...asked, used });
        spent = spoken.used;
        reply = asked.schema ? { ...spoken, value: await readValue(asked.schema, spoken.text) } : spoken;
      } catch (error) {
        const isLast = place === models.length - 1;
        if (isLast || context.signal.aborted || (isWorkflowError(error) && error.code === "LIMIT_EXCEEDED")) throw error;
        return { model: name, message: errorData(error, "BLOCK_FAILED").message, used: spent };
      }
      // A call that throws stores nothing: a reply is stored with the step.
      throw new Answered();
    };
    try {
      const failure = await context.once(`failed ${place}`, ask);
      failed.push(failure);
      ({ used } = failure);
    } catch (error) {
      if (reply && error instanceof Answered) return { ...reply, model: name, place, failed };
      if (context.signal.aborted || isWorkflowError(error)) throw error;
      throw new WorkflowError("BLOCK_FAILED", `No model answered. ${name}: ${errorData(error, "BLOCK_FAILED").message}`, {
        details: { failed: failed.map(({ model, message }) => ({ model, message })) },
        cause: error,
      });
    }
  }
  throw new WorkflowError("BLOCK_FAILED", "There is no model to ask. Name at least one in models.");
}

type Spoken = Omit<Reply, "model" | "place">;

/** Says to the store that there is nothing to store. */
class Answered extends Error {}

/** The reply of a model as JSON that fits. Throws `OUTPUT_INVALID`. */
async function readValue(schema: JsonSchema, text: string): Promise<Value> {
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch (cause) {
    throw new WorkflowError("OUTPUT_INVALID", "The model answered with a text that is no JSON.", { cause });
  }
  const [first] = (await readySchema(schema)).check(value, { formats: true }).problems;
  if (!first) return value;
  throw new WorkflowError("OUTPUT_INVALID", `What the model answered does not fit the schema: ${first.path || "it"} ${first.message}.`);
}

async function askModel({ host, signal, output }: Context, { model, price }: FoundModel, asked: Asked): Promise<Spoken> {
  const { system, messages, tools, schema, temperature, maxOutputTokens, limits = {}, used } = asked;
  const { jsonSchema, Output, streamText } = loaded!;
  const left = leftOf(limits, used, price);
  const room = Math.min(maxOutputTokens ?? Infinity, left.outputTokens ?? Infinity);
  const begun = host.now();
  const controller = host.newAbortController();
  const stop = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  // Ended with the call, so that nothing waits for it.
  const clock = host.newAbortController();
  const late = limitReached("seconds", (used.ms + (left.ms ?? 0)) / 1_000, limits.seconds ?? 0);
  if (left.ms !== undefined)
    void host.sleep(left.ms, clock.signal).then(
      () => controller.abort(late),
      () => {},
    );
  try {
    const stream = streamText({
      model: model as LanguageModel,
      messages: [...messages],
      allowSystemInMessages: false,
      // The engine tries again, and calls tools: each in a step of its own.
      maxRetries: 0,
      abortSignal: controller.signal as AbortSignal,
      onError() {},
      experimental_download: refuseDownloads,
      ...(system === undefined ? {} : { system }),
      ...(tools ? { tools: toolSet(tools, jsonSchema) } : {}),
      ...(schema ? { output: Output.object({ schema: jsonSchema(schema as never) }) } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(room === Infinity ? {} : { maxOutputTokens: room }),
    });
    let written = 0;
    for await (const part of stream.fullStream) {
      if (part.type === "text-delta") output("stdout", part.text);
      if (part.type === "text-delta" || part.type === "reasoning-delta") written += part.text.length;
      if (part.type === "tool-input-delta") written += part.delta.length;
      if (written > MAX_WRITTEN) throw endless();
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw controller.signal.reason;
    }
    const [text, calls, usage, finishReason, response] = await Promise.all([
      stream.text,
      stream.toolCalls,
      stream.totalUsage,
      stream.finishReason,
      stream.response,
    ]);
    const { inputTokens = 0, outputTokens = 0 } = usage;
    const cost = price ? inputTokens * price.input + outputTokens * price.output : 0;
    return {
      text,
      calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, tool: toolName, input })),
      // Without the members that are there and undefined: what is stored is JSON. And without what the package says of calls that it finds wrong: each call has
      // one result, which is the engine's.
      messages: (JSON.parse(JSON.stringify(response.messages)) as ModelMessage[]).filter(({ role }) => role !== "tool"),
      finishReason,
      used: addUsed(used, { input_tokens: inputTokens, output_tokens: outputTokens, cost, ms: host.now() - begun }),
    };
  } catch (error) {
    // Or the model would go on speaking, and be paid for it.
    controller.abort(error);
    throw error;
  } finally {
    clock.abort();
    signal.removeEventListener("abort", stop);
  }
}

/** Nothing is fetched for a model: what a run may reach the host grants, and a message is data. Addresses that the service of the model reads itself are left to it. */
async function refuseDownloads(wanted: readonly { readonly url: URL; readonly isUrlSupportedByModel: boolean }[]): Promise<null[]> {
  return wanted.map(({ url, isUrlSupportedByModel }) => {
    if (isUrlSupportedByModel) return null;
    throw new WorkflowError(
      "BLOCK_INPUT_INVALID",
      `The model cannot read ${url.origin} by itself, and nothing is fetched for it. Give it the file, in files.`,
    );
  });
}

function endless(): WorkflowError {
  return new WorkflowError("OUTPUT_INVALID", `The model wrote more than ${MAX_WRITTEN} characters and had not ended.`);
}

/** None has code to execute: the engine calls them, each in a step of its own. */
function toolSet(tools: NonNullable<Asked["tools"]>, jsonSchema: typeof Ai.jsonSchema): ToolSet {
  const shown = Object.entries(tools).map(([name, { description, schema }]) => [
    name,
    { description, inputSchema: jsonSchema(schema as never) },
  ]);
  return Object.fromEntries(shown) as ToolSet;
}
