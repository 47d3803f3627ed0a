import { assertOptions } from "../core/model/assert-options.ts";
import { type Call, type ModelV3, type Prompt, type PromptPart, promptsOf, readReply, replySchema } from "./browser-prompts.ts";
import type { Model } from "./models.ts";

/** How the browser's own model is used. */
export interface BrowserModelOptions {
  /** The languages of prompts and answers, as codes such as `de`. A browser whose model lacks one of them has none for you. Default: the browser decides. */
  readonly languages?: readonly string[];
}

type Part = Awaited<ReturnType<ModelV3["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

/** What a browser has as `LanguageModel`: the Prompt API. */
interface PromptApi {
  availability(options: SessionOptions): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  create(options: SessionOptions & { readonly initialPrompts: readonly Prompt[]; readonly signal?: AbortSignal }): Promise<Session>;
}

interface SessionOptions {
  readonly expectedInputs: readonly Expected[];
  readonly expectedOutputs: readonly Expected[];
}

interface Expected {
  readonly type: PromptPart["type"];
  readonly languages?: readonly string[];
}

interface Session {
  /** Tokens that it has read and written so far. */
  readonly contextUsage: number;
  measureContextUsage(prompts: readonly Prompt[], options: PromptOptions): Promise<number>;
  promptStreaming(prompts: readonly Prompt[], options: PromptOptions): ReadableStream<string>;
  destroy(): void;
}

interface PromptOptions {
  readonly responseConstraint?: object;
  readonly signal?: AbortSignal;
}

/**
 * The model that a browser brings with it (the Prompt API, `LanguageModel`), for `grants.models` of a page. Where there is none, as in workers, in Node and in other browsers, or where it
 * is not downloaded, a call of it fails, and the next of the `models` is asked. Tools it calls by replies that fit a schema. `temperature` and `max_tokens` do not reach it. Nothing is looked
 * for before the first call. Throws `KEY_UNKNOWN`.
 */
export function browserModel(options: BrowserModelOptions = {}): Model {
  assertOptions("browserModel", options, { languages: true });
  const model: Omit<ModelV3, "doGenerate"> = {
    specificationVersion: "v3",
    provider: "browser",
    modelId: "prompt-api",
    supportedUrls: {},
    doStream: async (call) => ({ stream: streamOf(speak(call, options)) }),
  };
  return model;
}

/** One call. Each has a session of its own: all that was said before comes with it. */
async function* speak(call: Call, { languages }: BrowserModelOptions): AsyncGenerator<Part, void> {
  const { tools = [], responseFormat, abortSignal } = call;
  const { system, said } = promptsOf(call);
  const text: Expected = { type: "text", ...(languages && { languages }) };
  const media = new Set(said.flatMap(({ content }) => content.flatMap(({ type }) => (type === "text" ? [] : [type]))));
  const cancelling = abortSignal && { signal: abortSignal };
  const session = await openSession({
    expectedInputs: [text, ...[...media].map((type) => ({ type }))],
    expectedOutputs: [text],
    initialPrompts: system,
    ...cancelling,
  });
  try {
    const schema = tools.length > 0 ? replySchema(tools) : responseFormat?.type === "json" ? responseFormat.schema : undefined;
    const asking: PromptOptions = { ...(schema && { responseConstraint: schema }), ...cancelling };
    const read = session.contextUsage + (await session.measureContextUsage(said, asking));
    const pieces = piecesOf(session.promptStreaming(said, asking));
    const hasCalled = tools.length > 0 ? yield* replyParts(pieces) : yield* textParts(pieces);
    const written = Math.max(0, session.contextUsage - read);
    yield {
      type: "finish",
      finishReason: { unified: hasCalled ? "tool-calls" : "stop", raw: undefined },
      usage: {
        inputTokens: { total: read, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: written, text: written, reasoning: undefined },
      },
    };
  } finally {
    session.destroy();
  }
}

/** Throws where the model is not ready: to have gigabytes downloaded is for the page to ask a person about. */
async function openSession(options: Parameters<PromptApi["create"]>[0]): Promise<Session> {
  const { LanguageModel: api } = globalThis as { readonly LanguageModel?: PromptApi };
  if (!api) throw new Error("There is no model of the browser's own here.");
  const { expectedInputs, expectedOutputs } = options;
  const availability = await api.availability({ expectedInputs, expectedOutputs });
  if (availability !== "available") throw new Error(`The browser's own model is not ready: ${availability}.`);
  return api.create(options);
}

/** A text as it comes. */
async function* textParts(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Part, boolean> {
  yield { type: "text-start", id: "text" };
  for await (const delta of pieces) yield { type: "text-delta", id: "text", delta };
  yield { type: "text-end", id: "text" };
  return false;
}

/** A reply where there are tools, once it is whole. Gives whether it is a call. */
async function* replyParts(pieces: AsyncIterable<string>): AsyncGenerator<Part, boolean> {
  let whole = "";
  for await (const piece of pieces) whole += piece;
  const reply = readReply(whole);
  if ("answer" in reply) return yield* textParts([reply.answer]);
  yield { type: "tool-call", toolCallId: crypto.randomUUID(), toolName: reply.tool, input: JSON.stringify(reply.input) };
  return true;
}

async function* piecesOf(stream: ReadableStream<string>): AsyncGenerator<string, void> {
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

function streamOf(parts: AsyncGenerator<Part, void>): ReadableStream<Part> {
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await parts.return();
    },
  });
}
