import { isChoices, type JsonChoice, type JsonSchema } from "./json-schema.ts";
import type { LocalizedText } from "./localized-text.ts";

/**
 * What a schema offers to choose from, each value with its label where it has one, whichever keyword says so: `oneOf`, `enum` or `const`, or an `anyOf` that takes
 * {@link otherOf | other texts} too. Empty where nothing is chosen; for several of a list ask its `items`.
 */
export function choicesOf<Text extends LocalizedText>(schema: JsonSchema<Text>): readonly JsonChoice<Text>[] {
  const { oneOf, enum: values, const: only } = otherOf(schema) ? schema.anyOf![0]! : schema;
  if (oneOf) return isChoices(oneOf) ? (oneOf as readonly JsonChoice<Text>[]) : [];
  return (values ?? (only === undefined ? [] : [only])).map((value) => ({ const: value }));
}

/** The schema of the texts that a schema takes beside its choices: an `anyOf` of choices and of any text. Nothing where there are only choices, or none. */
export function otherOf<Text extends LocalizedText>({
  anyOf: [some, other, another] = [],
}: JsonSchema<Text>): JsonSchema<Text> | undefined {
  const isOther = other?.type === "string" && !another && !other.format && !choicesOf(other)[0];
  return isOther && choicesOf(some!)[0] ? other : undefined;
}
