import type { JsonSchema } from "./json-schema.ts";
import { localizeSchema } from "./localize-schema.ts";
import { pickText } from "./localized-text.ts";
import { decimalAmount } from "./money.ts";
import type { Pause } from "./run.ts";

/** Whether a question may be put to a language model or its client: what is private, and files, are left to people and their pages. */
export function isForModels({ sensitive, schema }: Pause): boolean {
  return !sensitive && !holdsFile(schema);
}

function holdsFile({ format, properties = {}, items }: JsonSchema): boolean {
  return format === "file" || Object.values(properties).some(holdsFile) || (items !== undefined && holdsFile(items));
}

/** {@link plainSchema} for language models. It says how amounts of money are counted. */
export function schemaForModels(schema: JsonSchema): JsonSchema {
  return withAmounts(plainSchema(schema));
}

/** An amount that explains what the smallest unit is. */
const AN_AMOUNT = 1050;

function withAmounts({ currency, ...schema }: JsonSchema): JsonSchema {
  const { description, items, properties } = schema;
  const note = currency && `In the smallest unit of ${currency}: ${AN_AMOUNT} is ${decimalAmount(AN_AMOUNT, currency)} ${currency}.`;
  return {
    ...schema,
    ...(note === undefined ? {} : { description: description === undefined ? note : `${pickText(description)} ${note}` }),
    ...(items ? { items: withAmounts(items) } : {}),
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, withAmounts(part)])) } : {}),
  };
}

/** The schema for those who know JSON Schema alone: what is asked under a condition may be left out, and texts are in one language. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  return withoutConditions(localizeSchema(schema));
}

function withoutConditions({ showIf: _showIf, rules: _rules, messages: _messages, exclusive, ...schema }: JsonSchema): JsonSchema {
  const { properties, required, items } = schema;
  return {
    ...schema,
    ...(exclusive ? { anyOf: [{ maxItems: 1 }, { not: { contains: { enum: exclusive } } }] } : {}),
    ...(items ? { items: withoutConditions(items) } : {}),
    ...(required ? { required: required.filter((name) => properties?.[name]?.showIf === undefined) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, withoutConditions(part)])) }
      : {}),
  };
}
