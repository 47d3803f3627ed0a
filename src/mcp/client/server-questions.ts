import type { JsonSchema } from "../../core/model/json-schema.ts";
import { MAX_FORM_PARTS } from "../../core/model/limits.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { failure, pause, type BlockResult } from "../../core/ports/block.ts";

/** What a server asks in the middle of a call, and what it was answered so far: kept with the question, so that any process goes on. */
export interface Round {
  readonly state?: string;
  /** What is asked, by the server's own keys. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly answered: Readonly<Record<string, Value>>;
}

/** The round before a server has asked anything. */
export const NOTHING_ASKED: Round = { asked: {}, answered: {} };

/** The next question of a round, with the name of the server: its words alone could pass for those of the host. Nothing once each was answered. A round that a person cannot answer fails. */
export function askNext(round: Round, server: string): BlockResult<never> | undefined {
  const key = Object.keys(round.asked).find((name) => !Object.hasOwn(round.answered, name));
  if (key === undefined) return undefined;
  const form = formOf(round.asked[key]);
  if (!form)
    return failure(
      "The server asks for something that no form of a run can give: a visit to a page, a model, or folders. Call another tool.",
    );
  const parts = Object.values(form.schema.properties ?? {}).reduce((sum, field) => sum + 1 + choicesIn(field), 0);
  if (parts > MAX_FORM_PARTS)
    return failure(`The server asks for ${parts} fields and choices at once; a form has at most ${MAX_FORM_PARTS}. Call another tool.`);
  return pause({
    title: `Server "${server}" asks`,
    prompt: form.message,
    schema: form.schema,
    metadata: { kind: "mcp", server, round, key },
  });
}

/** The round with one more answer. */
export function withAnswer({ round, key }: Asked, answer: Value): Round {
  return { ...round, answered: { ...round.answered, [key]: answer } };
}

/** What the metadata of a question says. */
export interface Asked {
  readonly round: Round;
  readonly key: string;
}

function formOf(request: unknown): { readonly message: string; readonly schema: JsonSchema } | undefined {
  const { method, params } = isRecord(request) ? request : {};
  if (method !== "elicitation/create" || !isRecord(params)) return undefined;
  const { message, requestedSchema } = params;
  if (typeof message !== "string" || !isRecord(requestedSchema)) return undefined;
  const { properties, required } = requestedSchema;
  return {
    message,
    schema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(isRecord(properties) ? properties : {}).map(([name, part]) => [name, fieldOf(part)])),
      ...(Array.isArray(required) ? { required: required as string[] } : {}),
      additionalProperties: false,
    },
  };
}

function choicesIn({ enum: values, oneOf, anyOf, items }: JsonSchema): number {
  const own = (values?.length ?? 0) + (oneOf?.length ?? 0) + (anyOf?.length ?? 0);
  return isRecord(items) ? own + choicesIn(items as JsonSchema) : own;
}

/** Choices of 2025 have their names in a list beside. */
function fieldOf(part: unknown): JsonSchema {
  if (!isRecord(part)) return {};
  const { enumNames, ...schema } = part as JsonSchema & { readonly enumNames?: readonly string[] };
  if (!schema.enum || !enumNames) return schema;
  const { enum: values, ...others } = schema;
  return { ...others, oneOf: values.map((value, i) => ({ const: value, title: enumNames[i] ?? String(value) })) };
}
