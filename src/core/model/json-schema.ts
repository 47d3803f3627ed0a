import { canonicalText } from "./fingerprint.ts";
import { MAX_WORKFLOW_DEPTH } from "./limits.ts";
import { FORBIDDEN_KEYS, type Value, isRecord } from "./value.ts";

/** The subset of JSON Schema that answers and block inputs are checked against. Other keywords are refused. */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: Value;
  readonly enum?: readonly Value[];
  readonly const?: Value;
  /** The values to choose from, each with what people read in its place. Other schemas are not taken here. */
  readonly oneOf?: readonly JsonChoice[];
  readonly minLength?: number;
  readonly maxLength?: number;
  /** RE2 syntax; found anywhere in the text, as JSON Schema says. */
  readonly pattern?: string;
  /** Of a text `email`, `uri`, `date` or `date-time`; of an object `file`. Others are hints for pages. */
  readonly format?: string;
  /** Of a file: its type, as the attribute `accept` has it. Then `maxLength` counts its bytes. */
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** A value to choose. People read the title, a run holds the value. */
export interface JsonChoice {
  readonly const: Value;
  /** Default: the value as it is. */
  readonly title?: string;
  readonly description?: string;
}

/** The names that JSON Schema has for kinds of values. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

/**
 * What a schema offers to choose from, each value with its label where it has one, whichever keyword says so: `oneOf`, `enum` or `const`. Empty where
 * nothing is chosen; for several of a list ask its `items`.
 */
export function choicesOf({ oneOf, enum: values, const: only }: JsonSchema): readonly JsonChoice[] {
  return oneOf ?? (values ?? (only === undefined ? [] : [only])).map((value) => ({ const: value }));
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

const isText = JSON_TYPES.string;
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isType = (value: unknown): boolean => isText(value) && Object.hasOwn(JSON_TYPES, value as string);
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNameList = (value: unknown): boolean => isTextList(value) && new Set(value as string[]).size === (value as string[]).length;
const isAnything = (): boolean => true;

/** What a part of `oneOf` may hold. */
const CHOICE_KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["const", isAnything],
  // A choice without a name cannot be chosen.
  ["title", (value) => isText(value) && value !== ""],
  ["description", isText],
]);

/** Whether each part is a value with its label, and no value would fit two of them. */
function isChoiceList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const isEach = value.every(
    (part) =>
      isPlainRecord(part) && part["const"] !== undefined && Object.entries(part).every(([name, of]) => CHOICE_KEYWORDS.get(name)?.(of)),
  );
  return isEach && new Set((value as readonly JsonChoice[]).map((part) => canonicalText(part.const))).size === value.length;
}

/** What each keyword may hold; keywords with schemas inside are walked apart. */
const KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["type", (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))],
  ["title", isText],
  ["description", isText],
  ["default", isAnything],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["const", isAnything],
  ["oneOf", isChoiceList],
  ["minLength", isCount],
  ["maxLength", isCount],
  ["pattern", isText],
  ["format", isText],
  ["contentMediaType", isText],
  ["minimum", Number.isFinite],
  ["maximum", Number.isFinite],
  ["exclusiveMinimum", Number.isFinite],
  ["exclusiveMaximum", Number.isFinite],
  ["multipleOf", (value) => Number.isFinite(value) && (value as number) > 0],
  ["properties", isPlainRecord],
  ["required", isNameList],
  ["additionalProperties", (value) => typeof value === "boolean" || isPlainRecord(value)],
  ["items", isPlainRecord],
  ["minItems", isCount],
  ["maxItems", isCount],
  ["uniqueItems", JSON_TYPES.boolean],
]);

/** What to write, where the name of a keyword does not say it. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ["oneOf", ' Give it choices, each value once: { "const": …, "title": …, "description": … }, the last two where they are wanted.'],
]);

/**
 * What is wrong with a schema: keywords outside {@link JsonSchema}, values a keyword does not take, forbidden names, too much nesting.
 * A `format` may be any text.
 */
export function checkJsonSchema(schema: unknown): string[] {
  const problems: string[] = [];
  inspect(schema, "the schema", 0, problems, []);
  return problems;
}

/** The patterns a schema holds, so that they can be compiled before values are checked. */
export function schemaPatterns(schema: JsonSchema): string[] {
  const patterns: string[] = [];
  inspect(schema, "", 0, [], patterns);
  return patterns;
}

function inspect(schema: unknown, place: string, depth: number, problems: string[], patterns: string[]): void {
  if (depth > MAX_WORKFLOW_DEPTH) problems.push(`${place} is nested more than ${MAX_WORKFLOW_DEPTH} levels deep.`);
  else if (!isPlainRecord(schema)) problems.push(`${place} must be an object.`);
  else for (const [keyword, value] of Object.entries(schema)) inspectKeyword(keyword, value, place, depth, problems, patterns);
}

function inspectKeyword(keyword: string, value: unknown, place: string, depth: number, problems: string[], patterns: string[]): void {
  const fits = KEYWORDS.get(keyword);
  if (!fits) problems.push(`${place} has the keyword "${keyword}", which is not supported. Use: ${[...KEYWORDS.keys()].join(", ")}.`);
  else if (!fits(value)) problems.push(`${place} has a "${keyword}" that is not what this keyword takes.${FORMS.get(keyword) ?? ""}`);
  else if (keyword === "pattern") patterns.push(value as string);
  else if (keyword === "properties") {
    for (const [name, part] of Object.entries(value as object)) {
      if (FORBIDDEN_KEYS.has(name)) problems.push(`${place} names a property "${name}", which is reserved. Choose another name.`);
      inspect(part, `${place}.properties.${name}`, depth + 1, problems, patterns);
    }
  } else if (keyword === "items" || (keyword === "additionalProperties" && typeof value === "object")) {
    inspect(value, `${place}.${keyword}`, depth + 1, problems, patterns);
  }
}

/** Dates, maps and the like are objects to JavaScript, but none to a schema. */
export function isPlainRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return isRecord(value) && Object.prototype.toString.call(value) === "[object Object]";
}
