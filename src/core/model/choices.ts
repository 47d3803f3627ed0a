import type { JsonChoice, JsonSchema } from "./run.ts";

/**
 * What a schema offers to choose from, each value with its label where it has one, whichever keyword says so: `oneOf`, `enum` or `const`. Empty where
 * nothing is chosen; for several of a list ask its `items`.
 */
export function choicesOf({ oneOf, enum: values, const: only }: JsonSchema): readonly JsonChoice[] {
  return oneOf ?? (values ?? (only === undefined ? [] : [only])).map((value) => ({ const: value }));
}
