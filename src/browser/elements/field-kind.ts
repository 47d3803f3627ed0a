import { choicesOf } from "../../core/model/choices.ts";
import type { FormContent } from "../../core/model/json-schema.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import type { Value } from "../../core/model/value.ts";

/**
 * What a value is asked with. `tick` is one box, `yes-no` two circles of which one must be chosen; `group` has named members, `list` any
 * number of the same; `json` is for everything that has no control of its own.
 */
export type FieldKind = "tick" | "yes-no" | "choice" | "choices" | "text" | "number" | "file" | "list" | "group" | "json";

/** Kinds of fields that most forms do without; their controls come when a form wants one. `search` is a long list of choices; `other` has choices beside which a text may be given, or that stand alone. */
export type RareKind = "list" | "file" | "files" | "matrix" | "multiline" | "other" | "ranking" | "rating" | "search" | "signature";

/** Picks the control for a schema. */
export function kindOf(schema: ShownSchema, isRequired: boolean): FieldKind {
  const type = typeOf(schema);
  if (schema.const === true) return "tick";
  if (choicesOf(schema).length > 0) return "choice";
  switch (type) {
    case "boolean":
      return isRequired && schema.default === undefined ? "yes-no" : "tick";
    case "integer":
    case "number":
      return "number";
    case "string":
      return "text";
    case "array":
      return schema.items ? (choicesOf(schema.items).length > 0 ? "choices" : "list") : "json";
    case "object":
      return schema.format === "file" ? "file" : schema.properties ? "group" : "json";
    default:
      return "json";
  }
}

/** The type of a value beside `null`; of several a text, which can be written as any. */
function typeOf({ type }: ShownSchema): string | undefined {
  const types = (typeof type === "object" ? type : [type]).filter((one) => one !== "null");
  return types.includes("string") ? "string" : types[0];
}

/** Whether nothing is an answer, and written as `null`. */
export function takesNull({ type }: ShownSchema): boolean {
  return typeof type === "object" && type.includes("null");
}

/** The values of {@link choicesOf}. */
export function valuesOf(schema: ShownSchema): readonly Value[] {
  return choicesOf(schema).map((choice) => choice.const);
}

/** The members of a group, in their order. */
export function namesOf({ properties = {}, required = [], layout = [] }: ShownSchema, order: readonly string[] = []): readonly string[] {
  const names = Object.keys(properties);
  // A definition in YAML keeps no order of keys; the list of what is required has one.
  const isSorted = names.every((name, i) => i === 0 || names[i - 1]! < name);
  const wanted = [...layout.filter((part) => typeof part === "string"), ...order, ...(isSorted ? required : []), ...names];
  return [...new Set(wanted)].filter((name) => Object.hasOwn(properties, name));
}

/** The members of a group in their order, with what is shown between them. */
export function partsOf(schema: ShownSchema, order?: readonly string[]): readonly (string | FormContent<string>)[] {
  const { layout = [] } = schema;
  const names = namesOf(schema, order);
  return [...layout.filter((part) => typeof part === "object" || names.includes(part)), ...names.filter((name) => !layout.includes(name))];
}

/** `first_name` as people write it: `First name`. */
export function nameText(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_\s]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
