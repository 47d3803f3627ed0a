import { isDayLimit } from "./day.ts";
import { canonicalText } from "./fingerprint.ts";
import { MAX_RULES, MAX_WORKFLOW_DEPTH } from "./limits.ts";
import { isLocalizedText, type LocalizedText } from "./localized-text.ts";
import { FORBIDDEN_KEYS, type Value, isRecord } from "./value.ts";

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

const isText = JSON_TYPES.string;
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isType = (value: unknown): boolean => isText(value) && Object.hasOwn(JSON_TYPES, value as string);
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNameList = (value: unknown): boolean => isTextList(value) && new Set(value as string[]).size === (value as string[]).length;
const isAnything = (): boolean => true;
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isSchemaList = (value: unknown): boolean => isFilled(value) && (value as readonly unknown[]).every(isPlainRecord);

type Fits = (value: unknown) => boolean;

/** What a part of `oneOf` may hold. */
const CHOICE_KEYWORDS: ReadonlyMap<string, Fits> = new Map<string, Fits>([
  ["const", isAnything],
  // A choice without a name cannot be chosen.
  ["title", (value) => isLocalizedText(value) && value !== ""],
  ["description", isLocalizedText],
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

/** Whether nothing but values and their names is written there, rightly or not. */
function looksLikeChoices(parts: readonly object[]): boolean {
  return (
    parts.every((part) => Object.keys(part).every((name) => CHOICE_KEYWORDS.has(name))) &&
    parts.some((part) => Object.keys(part).length > 0)
  );
}

/** What a rule between members may hold. */
const RULE_KEYWORDS: ReadonlyMap<string, Fits> = new Map<string, Fits>([
  ["check", (value) => isText(value) && value !== ""],
  ["field", isText],
  ["message", isLocalizedText],
]);

function isRuleList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= MAX_RULES &&
    value.every(
      (rule) =>
        isPlainRecord(rule) &&
        rule["check"] !== undefined &&
        rule["message"] !== undefined &&
        Object.entries(rule).every(([name, of]) => RULE_KEYWORDS.get(name)?.(of)),
    )
  );
}

function isMessages(value: unknown): boolean {
  return isPlainRecord(value) && Object.entries(value).every(([keyword, text]) => KEYWORDS.has(keyword) && isLocalizedText(text));
}

/** What each keyword may hold; keywords with schemas inside are walked apart. */
const KEYWORDS: ReadonlyMap<string, Fits> = new Map<string, Fits>([
  ["type", (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))],
  ["title", isLocalizedText],
  ["description", isLocalizedText],
  ["default", isAnything],
  ["enum", isFilled],
  ["const", isAnything],
  ["oneOf", (value) => (isSchemaList(value) && !looksLikeChoices(value as readonly object[])) || isChoiceList(value)],
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
  ["unit", isLocalizedText],
  ["currency", isText],
  ["minDate", isDayLimit],
  ["maxDate", isDayLimit],
  ["properties", isPlainRecord],
  ["required", isNameList],
  ["additionalProperties", (value) => typeof value === "boolean" || isPlainRecord(value)],
  ["items", isPlainRecord],
  ["minItems", isCount],
  ["maxItems", isCount],
  ["uniqueItems", JSON_TYPES.boolean],
  ["exclusive", isFilled],
  ["layout", (value) => Array.isArray(value) && value.every((part) => isText(part) || isPlainRecord(part))],
  ["autocomplete", isText],
  ["capture", (value) => value === "user" || value === "environment" || value === "signature"],
  ["allOf", isSchemaList],
  ["anyOf", isSchemaList],
  ["not", isPlainRecord],
  ["if", isPlainRecord],
  ["then", isPlainRecord],
  ["else", isPlainRecord],
  ["dependentRequired", (value) => isPlainRecord(value) && Object.values(value).every(isNameList)],
  ["dependentSchemas", isPlainRecord],
  ["patternProperties", isPlainRecord],
  ["propertyNames", isPlainRecord],
  ["minProperties", isCount],
  ["maxProperties", isCount],
  ["prefixItems", isSchemaList],
  ["contains", isPlainRecord],
  ["minContains", isCount],
  ["maxContains", isCount],
  ["$ref", (value) => value === "#" || (isText(value) && (value as string).startsWith("#/$defs/"))],
  ["$defs", isPlainRecord],
  ["showIf", (value) => isText(value) && value !== ""],
  ["rules", isRuleList],
  ["messages", isMessages],
]);

/** Keywords that hold a schema, a list of them, or schemas by names. */
const HOLDERS: ReadonlyMap<string, "one" | "list" | "map"> = new Map<string, "one" | "list" | "map">([
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

/** Keywords that most schemas do without, beside those that hold schemas. What they mean is loaded where one has them. */
const RARE: ReadonlySet<string> = new Set([
  "dependentRequired",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
  "minDate",
  "maxDate",
  "exclusive",
  "$ref",
]);
/** Those that hold schemas and are plain. */
const PLAIN: ReadonlySet<string> = new Set(["properties", "items", "additionalProperties", "oneOf"]);

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

const TEXT_FORM = ' Give it a text, or one a language: { "en": …, "de": … }.';
const DAY_FORM = " Give it a day, 2026-11-21, or one counted from today: today, today+30d, today-2w, today+6m, today-18y.";

/** What to write, where the name of a keyword does not say it. */
const FORMS: ReadonlyMap<string, string> = new Map([
  [
    "oneOf",
    ' Give it choices, each value once: { "const": …, "title": …, "description": … }, the last two where they are wanted; or schemas.',
  ],
  ["$ref", " Only references within the schema are followed: #/$defs/name. Put what it leads to under $defs."],
  ["rules", ' Give it at most 100 rules: { "check": …, "field": …, "message": … }, "field" where it is wanted.'],
  ["messages", ' Give it texts by the names of keywords: { "required": "Enter your name." }.'],
  ["minDate", DAY_FORM],
  ["maxDate", DAY_FORM],
  ["title", TEXT_FORM],
  ["description", TEXT_FORM],
]);

/** What to write in the place of keywords that there are and that are not supported. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["unevaluatedProperties", 'Write "additionalProperties" beside the "properties" it shall see.'],
  ["unevaluatedItems", 'Write "items" beside the "prefixItems" it shall see.'],
  ["$dynamicRef", 'Write "$ref": "#/$defs/name".'],
  ["$recursiveRef", 'Write "$ref": "#".'],
  ["$id", "Only the whole schema has one: put parts under $defs, and refer to them by #/$defs/name."],
]);

/**
 * What is wrong with a schema: keywords outside {@link JsonSchema}, values a keyword does not take, forbidden names, too much nesting.
 * A `format` may be any text.
 */
export function checkJsonSchema(schema: unknown): string[] {
  const found: Found = { problems: [], patterns: [], hasConditions: false, isRare: false };
  inspect(schema, "the schema", 0, found);
  return found.problems;
}

/** What has to be loaded before values are checked by a schema. */
export interface SchemaNeeds {
  readonly patterns: readonly string[];
  readonly hasConditions: boolean;
  /** Whether it has keywords that most schemas do without. */
  readonly isRare: boolean;
}

const needed = new WeakMap<JsonSchema, SchemaNeeds>();

/** What a schema needs beside its plain keywords; found out once for each. */
export function schemaNeeds(schema: JsonSchema): SchemaNeeds {
  const known = needed.get(schema);
  if (known) return known;
  const found: Found = { problems: [], patterns: [], hasConditions: false, isRare: false };
  inspect(schema, "", 0, found);
  needed.set(schema, found);
  return found;
}

/** What was found on the way through a schema. */
interface Found {
  readonly problems: string[];
  readonly patterns: string[];
  hasConditions: boolean;
  isRare: boolean;
}

function inspect(schema: unknown, place: string, depth: number, found: Found): void {
  const { problems } = found;
  if (depth > MAX_WORKFLOW_DEPTH) problems.push(`${place} is nested more than ${MAX_WORKFLOW_DEPTH} levels deep.`);
  else if (!isPlainRecord(schema)) problems.push(`${place} must be an object.`);
  else for (const [keyword, value] of Object.entries(schema)) inspectKeyword(keyword, value, place, depth, found);
}

function inspectKeyword(keyword: string, value: unknown, place: string, depth: number, found: Found): void {
  const { problems } = found;
  const fits = KEYWORDS.get(keyword);
  if (!fits) {
    problems.push(
      `${place} has the keyword "${keyword}", which is not supported. ${ADVICE.get(keyword) ?? `Use: ${[...KEYWORDS.keys()].join(", ")}.`}`,
    );
    return;
  }
  if (!fits(value)) {
    problems.push(`${place} has a "${keyword}" that is not what this keyword takes.${FORMS.get(keyword) ?? ""}`);
    return;
  }
  if (RARE.has(keyword) || (HOLDERS.has(keyword) && !PLAIN.has(keyword))) found.isRare = true;
  if (keyword === "pattern") found.patterns.push(value as string);
  else if (keyword === "showIf" || keyword === "rules") found.hasConditions = true;
  else if (keyword === "oneOf" && isChoices(value as readonly unknown[])) return;
  else if (keyword === "oneOf") found.isRare = true;
  for (const [part, keys] of partsIn(keyword, value)) {
    const name = String(keys.at(-1));
    if (keyword === "patternProperties") found.patterns.push(name);
    if (keyword === "properties" && FORBIDDEN_KEYS.has(name)) {
      problems.push(`${place} names a property "${name}", which is reserved. Choose another name.`);
    }
    inspect(part, `${place}.${keys.join(".")}`, depth + 1, found);
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
