import type { Value } from "../model/value.ts";

/**
 * A way to a value: `inputs.x`, `blocks.b.outputs.f[0]`. A part that is a reference itself stands for the one key that it yields when the
 * path is walked; what it yields is never read as text of the language.
 */
export interface Reference {
  readonly path: readonly (string | number | Reference)[];
  /** Offset of its `${`, or of its first name, in the text; from 1. */
  readonly column: number;
}

/** A text with references. Texts and references in their order; a template of exactly one reference keeps the type of the value. */
export interface Template {
  readonly parts: readonly (string | Reference)[];
}

export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

/** A parsed condition. */
export type Condition =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "list"; readonly items: readonly Condition[] }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "text"; readonly template: Template }
  | { readonly kind: "not"; readonly operand: Condition }
  | { readonly kind: "and" | "or"; readonly operands: readonly Condition[] }
  | Comparison;

/** `a < b <= c`: each operand stands between two comparators and is evaluated once. */
export interface Comparison {
  readonly kind: "comparison";
  readonly operands: readonly Condition[];
  readonly comparators: readonly { readonly comparator: Comparator; readonly column: number }[];
}
