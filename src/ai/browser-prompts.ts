import type { LanguageModel } from "ai";
import { isRecord } from "../core/model/value.ts";

/** A model as the package `ai` has it. */
export type ModelV3 = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
/** What such a model is asked. */
export type Call = Parameters<ModelV3["doStream"]>[0];
type Message = Call["prompt"][number];
type Content = Exclude<Message["content"], string>[number];
type FilePart = Extract<Content, { readonly type: "file" }>;
type Output = Extract<Content, { readonly type: "tool-result" }>["output"];
type Tools = NonNullable<Call["tools"]>;

/** A message as the browser's own model takes it. */
export interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: readonly PromptPart[];
}

export type PromptPart = { readonly type: "text"; readonly value: string } | { readonly type: "image" | "audio"; readonly value: Blob };

/** What the browser's own model is asked: what it is to keep to, and what was said. */
export interface Prompts {
  readonly system: readonly Prompt[];
  readonly said: readonly Prompt[];
}

/** The messages of a call as prompts. The model has no tools of its own: it reads in what it is to keep to how it has one called. */
export function promptsOf({ prompt, tools = [] }: Pick<Call, "prompt" | "tools">): Prompts {
  const orders = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : []));
  if (tools.length > 0) orders.push(howToCall(tools));
  return {
    // A session takes one of these, and as its first prompt.
    system: orders.length > 0 ? [{ role: "system", content: [textPart(orders.join("\n\n"))] }] : [],
    said: prompt.flatMap((message) => (message.role === "system" ? [] : [promptOf(message)])),
  };
}

function promptOf(message: Exclude<Message, { readonly role: "system" }>): Prompt {
  return { role: message.role === "assistant" ? "assistant" : "user", content: (message.content as readonly Content[]).map(partOf) };
}

const textPart = (value: string): PromptPart => ({ type: "text", value });

function partOf(part: Content): PromptPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return textPart(part.text);
    case "file":
      return mediaPart(part);
    case "tool-call":
      return textPart(JSON.stringify({ tool: part.toolName, input: part.input }));
    case "tool-result":
      return textPart(`What ${part.toolName} gave: ${textOfOutput(part.output)}`);
    default:
      throw new Error(`The browser's own model cannot read a part "${part.type}" of a message.`);
  }
}

function textOfOutput(output: Output): string {
  if (output.type === "execution-denied") return `nothing, since a person did not allow it. ${output.reason ?? ""}`.trimEnd();
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}

function mediaPart({ mediaType, data }: FilePart): PromptPart {
  const [kind] = mediaType.split("/", 1);
  if ((kind !== "image" && kind !== "audio") || data instanceof URL)
    throw new Error(`The browser's own model reads images and sounds that a message holds, and no ${mediaType} from elsewhere.`);
  const bytes = typeof data === "string" ? Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)) : data;
  return { type: kind, value: new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }) };
}

function howToCall(tools: Tools): string {
  const known = tools.map((tool) => `- ${tool.name}: ${tool.type === "function" ? (tool.description ?? "") : ""}`).join("\n");
  return `Reply with {"answer": "…"}, or with {"tool": "…", "input": {…}} to have a tool called, of which you read then what it gave. The tools:\n${known}`;
}

/** What a reply must look like where there are tools. */
export function replySchema(tools: Tools): object {
  const calls = tools.map((tool) => closed({ tool: { const: tool.name }, input: tool.type === "function" ? tool.inputSchema : {} }));
  return { anyOf: [closed({ answer: { type: "string" } }), ...calls] };
}

function closed(properties: Readonly<Record<string, object>>): object {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** A reply where there are tools: an answer, or a call. */
export type BrowserReply = { readonly answer: string } | { readonly tool: string; readonly input: unknown };

/** Reads a reply of that schema. Throws where it is none: not every browser keeps to one. */
export function readReply(text: string): BrowserReply {
  const reply: unknown = JSON.parse(text);
  if (isRecord(reply)) {
    const { answer, tool, input } = reply;
    if (typeof answer === "string") return { answer };
    if (typeof tool === "string") return { tool, input };
  }
  throw new Error(`The browser's own model replied with neither an answer nor a call: ${text}`);
}
