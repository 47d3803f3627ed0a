import { defineBlock } from "../core/blocks/define-block.ts";
import { type BlockType, failure, type InputProblem, success } from "../core/ports/block.ts";
import { askModels, loadModels, messagesOf } from "./ask-models.ts";
import { LIMITS_SCHEMA, NOTHING_USED, USED_SCHEMA } from "./spending.ts";

export const MODELS_SCHEMA = {
  type: "array",
  items: { type: "string", minLength: 1 },
  minItems: 1,
  description: "Names of models that the host grants. Where one fails, the next is asked.",
} as const;

export const MESSAGES_SCHEMA = {
  type: "array",
  items: {
    type: "object",
    properties: { role: { type: "string", enum: ["user", "assistant"] }, content: { type: ["string", "array"] } },
    required: ["role", "content"],
  },
  description: "A conversation, the latest message last. The content of each is a text, or a list of parts as the package `ai` has them.",
} as const;

export const FILES_SCHEMA = {
  type: "array",
  items: { type: "object", format: "file" },
  description: "Files that the model sees with the prompt: images, and what else it can read.",
} as const;

/** What is wrong with inputs that ask nothing. */
export function checkAsked(written: { readonly [name: string]: unknown }): InputProblem[] {
  if (written["prompt"] !== undefined || written["messages"] !== undefined) return [];
  return [{ input: "prompt", code: "BLOCK_INPUT_INVALID", message: "There is nothing to ask. Give prompt, messages, or both." }];
}

/** Asks a language model once. */
export const llmBlock: BlockType = defineBlock({
  type: "LLM",
  description: "Asks a language model, and the next one where it fails.",
  needs: ["models"],
  load: loadModels,
  channels: {},
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        models: MODELS_SCHEMA,
        prompt: { type: "string", minLength: 1, description: "What it is asked. After `messages`, where both are given." },
        messages: MESSAGES_SCHEMA,
        files: FILES_SCHEMA,
        system: { type: "string", description: "What it is to keep to." },
        schema: { type: "object", description: "A JSON Schema: the model answers with JSON that fits it, which is the output `value`." },
        temperature: { type: "number", minimum: 0, description: "How much chance is in the answer." },
        max_tokens: { type: "integer", minimum: 1, description: "How many tokens the answer may have." },
        limits: LIMITS_SCHEMA,
      },
      required: ["models"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        text: { type: "string", description: "The answer." },
        value: { description: "The answer as JSON, where there is a `schema`." },
        model: { type: "string", description: "The name of the model that answered." },
        finish_reason: { type: "string", description: "Why it ended: `stop`, `length`, `content-filter` or `other`." },
        used: USED_SCHEMA,
        failed: {
          type: "array",
          items: { type: "object", properties: { model: { type: "string" }, message: { type: "string" } } },
          description: "The models that were asked before and failed, and why.",
        },
      },
      required: ["text", "model", "finish_reason", "used", "failed"],
    },
  },
  checkInputs: (_, written) => checkAsked(written),
  async execute(context) {
    const { models, prompt, messages, files, system, schema, temperature, max_tokens: maxOutputTokens, limits } = context.inputs;
    const asked = messagesOf({ messages, prompt, files });
    if (asked.length === 0) return failure("There is nothing to ask: messages is empty. Give prompt, or a message.");
    const reply = await askModels(context, {
      models,
      messages: asked,
      system,
      schema,
      temperature,
      maxOutputTokens,
      limits,
      used: NOTHING_USED,
    });
    return success({
      text: reply.text,
      ...(reply.value === undefined ? {} : { value: reply.value }),
      model: reply.model,
      finish_reason: reply.finishReason,
      used: reply.used,
      failed: reply.failed.map(({ model, message }) => ({ model, message })),
    });
  },
});
