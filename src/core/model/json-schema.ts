import { isLocalizedText, type LocalizedText } from "./localized-text.ts";
import { type Value, isRecord } from "./value.ts";

/**
 * The part of JSON Schema (2020-12) that answers and block inputs are checked against, with keywords of our own for forms. Others are refused, or translated
 * where a schema is taken in. What stands below `capture` is rare: it is loaded where a schema has it.
 */
export interface JsonSchema<Text extends LocalizedText = LocalizedText> {
  readonly type?: JsonType | readonly JsonType[];
  /** For people, as all texts of a schema: a text, or one a language. */
  readonly title?: Text;
  readonly description?: Text;
  readonly default?: Value;
  readonly enum?: readonly Value[];
  readonly const?: Value;
  /** The values to choose from, each with what people read in its place; or schemas of which exactly one fits. See `choicesOf`. */
  readonly oneOf?: readonly JsonSchema<Text>[];
  readonly minLength?: number;
  readonly maxLength?: number;
  /** RE2 syntax; found anywhere in the text, as JSON Schema says. */
  readonly pattern?: string;
  /** Of a text `email`, `uri`, `date`, `date-time`, `time` or `month`; of an object `file`. Others are hints for pages. */
  readonly format?: string;
  /** Of a file: its type, as the attribute `accept` has it. Then `maxLength` counts its bytes. */
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  /** A hint for pages: what a number counts, shown beside it. */
  readonly unit?: Text;
  /** Of an integer with the format `money`: its currency (ISO 4217). The number counts the smallest unit of it. */
  readonly currency?: string;
  readonly properties?: { readonly [name: string]: JsonSchema<Text> };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema<Text>;
  readonly items?: JsonSchema<Text>;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** Of a list of choices: those that stand alone, such as “None of these”. A list with one of them has nothing else in it. */
  readonly exclusive?: readonly Value[];
  /** A hint for pages: the names of the properties in the order in which they are asked, with what is shown between them. */
  readonly layout?: readonly (string | FormContent<Text>)[];
  /** A hint for pages: what browsers may fill in, as HTML names it. */
  readonly autocomplete?: string;
  /** A hint for pages, of a file: taken with the camera (`user`, `environment`), or a `signature`. */
  readonly capture?: "user" | "environment" | "signature";
  readonly allOf?: readonly JsonSchema<Text>[];
  readonly anyOf?: readonly JsonSchema<Text>[];
  readonly not?: JsonSchema<Text>;
  readonly if?: JsonSchema<Text>;
  readonly then?: JsonSchema<Text>;
  readonly else?: JsonSchema<Text>;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly dependentSchemas?: { readonly [name: string]: JsonSchema<Text> };
  readonly patternProperties?: { readonly [pattern: string]: JsonSchema<Text> };
  readonly propertyNames?: JsonSchema<Text>;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Of a list: the schemas of its first items. `items` is that of the others. */
  readonly prefixItems?: readonly JsonSchema<Text>[];
  readonly contains?: JsonSchema<Text>;
  readonly minContains?: number;
  readonly maxContains?: number;
  /** Of a text with the format `date` or `date-time`: the first day, `2026-11-21` or counted from today: `today`, `today+30d`, `today-18y`. */
  readonly minDate?: string;
  /** The last day, written in the same way. */
  readonly maxDate?: string;
  /** `#`, the whole schema, or `#/$defs/name`: only for one that leads back to itself. */
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: JsonSchema<Text> };
  /**
   * Of a member of an object: the condition under which it is asked, over the members beside it and around it: `${fields.pet} == "dog"`. One that is not asked is no part of
   * the answer, and need not be there.
   */
  readonly showIf?: string;
  /** Of an object: what must hold between its members. */
  readonly rules?: readonly FormRule<Text>[];
  /** What people read where a keyword of this schema is not met, as whole sentences, by the name of the keyword. `required` is that of the value itself. */
  readonly messages?: { readonly [keyword: string]: Text };
}

/** What must hold between the members of an object. */
export interface FormRule<Text extends LocalizedText = LocalizedText> {
  /** A condition over the members: `${fields.until} >= ${fields.from}`. One that is unknown, since it looks at what was left out, holds. */
  readonly check: string;
  /** The member at which the message stands. Default: the object as a whole. */
  readonly field?: string;
  readonly message: Text;
}

/** What a form shows between its fields. */
export interface FormContent<Text extends LocalizedText = LocalizedText> {
  readonly heading?: Text;
  readonly text?: Text;
  /** `src` is an address of the page's own host; `alt` says what the picture shows, and is empty where it is decoration. */
  readonly image?: { readonly src: string; readonly alt: Text };
}

/** A value to choose. People read the title, a run holds the value. */
export interface JsonChoice<Text extends LocalizedText = LocalizedText> {
  readonly const: Value;
  /** Default: the value as it is. */
  readonly title?: Text;
  readonly description?: Text;
}

/** The names that JSON Schema has for kinds of values. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

const ofChoices = new WeakMap<readonly unknown[], boolean>();

/** Whether a `oneOf` lists values with what people read, and no other schemas. */
export function isChoices(parts: readonly unknown[]): boolean {
  let known = ofChoices.get(parts);
  if (known === undefined) {
    known = parts.every(
      (part) => isPlainRecord(part) && part["const"] !== undefined && Object.keys(part).every((name) => CHOICE_KEYWORDS.has(name)),
    );
    ofChoices.set(parts, known);
  }
  return known;
}

/** Whether a value is of a kind. */
export const JSON_TYPES: { readonly [type in JsonType]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isPlainRecord,
  null: (value) => value === null,
};

/** What keywords may hold that take any value. */
export const isAnything = (): boolean => true;

/** What a part of `oneOf` may hold. */
export const CHOICE_KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["const", isAnything],
  // A choice without a name cannot be chosen.
  ["title", (value) => isLocalizedText(value) && value !== ""],
  ["description", isLocalizedText],
]);

/** Keywords that hold a schema, a list of them, or schemas by names. */
export const HOLDERS: ReadonlyMap<string, "one" | "list" | "map"> = new Map<string, "one" | "list" | "map">([
  ["items", "one"],
  ["additionalProperties", "one"],
  ["not", "one"],
  ["if", "one"],
  ["then", "one"],
  ["else", "one"],
  ["propertyNames", "one"],
  ["contains", "one"],
  ["oneOf", "list"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["prefixItems", "list"],
  ["properties", "map"],
  ["dependentSchemas", "map"],
  ["patternProperties", "map"],
  ["$defs", "map"],
]);

/** The schemas that stand in a keyword of another one, each with the keys that lead to it. */
export function partsIn(keyword: string, value: unknown): readonly (readonly [part: unknown, keys: readonly (string | number)[]])[] {
  switch (HOLDERS.get(keyword)) {
    case "one":
      return typeof value === "boolean" ? [] : [[value, [keyword]]];
    case "list":
      return Array.isArray(value) ? value.map((part: unknown, i) => [part, [keyword, i]] as const) : [];
    case "map":
      return isRecord(value) ? Object.entries(value).map(([name, part]) => [part, [keyword, name]] as const) : [];
    case undefined:
      return [];
  }
}

/** The schemas in a schema beside those of properties and items, with the keys that lead there. */
export function otherParts(schema: JsonSchema): readonly (readonly [part: JsonSchema, keys: readonly (string | number)[]])[] {
  const keywords = Object.entries(schema).filter(
    ([keyword, value]) =>
      keyword !== "properties" && keyword !== "items" && !(keyword === "oneOf" && isChoices(value as readonly unknown[])),
  );
  return keywords.flatMap(([keyword, value]) => partsIn(keyword, value)) as readonly (readonly [
    JsonSchema,
    readonly (string | number)[],
  ])[];
}

/** Dates, maps and the like are objects to JavaScript, but none to a schema. */
export function isPlainRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return isRecord(value) && Object.prototype.toString.call(value) === "[object Object]";
}
