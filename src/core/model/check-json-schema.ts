import { isDayLimit } from "./day.ts";
import { canonicalText } from "./fingerprint.ts";
import {
  CHOICE_KEYWORDS,
  HOLDERS,
  isAnything,
  isChoices,
  isPlainRecord,
  JSON_TYPES,
  type JsonChoice,
  type JsonSchema,
  partsIn,
} from "./json-schema.ts";
import { MAX_RULES, MAX_WORKFLOW_DEPTH } from "./limits.ts";
import { isLocalizedText } from "./localized-text.ts";
import { FORBIDDEN_KEYS } from "./value.ts";

const isText = JSON_TYPES.string;
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isType = (value: unknown): boolean => isText(value) && Object.hasOwn(JSON_TYPES, value as string);
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNameList = (value: unknown): boolean => isTextList(value) && new Set(value as string[]).size === (value as string[]).length;
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isSchemaList = (value: unknown): boolean => isFilled(value) && (value as readonly unknown[]).every(isPlainRecord);

type Fits = (value: unknown) => boolean;

/** Whether each part is a value with its label, and no value would fit two of them. */
function isChoiceList(value: unknown): boolean {
  if (!isFilled(value) || !isChoices(value as readonly unknown[])) return false;
  const choices = value as readonly JsonChoice[];
  const isEach = choices.every((choice) => Object.entries(choice).every(([name, of]) => CHOICE_KEYWORDS.get(name)!(of)));
  return isEach && new Set(choices.map((choice) => canonicalText(choice.const))).size === choices.length;
}

/** Whether nothing but values and their names is written there, rightly or not. */
function looksLikeChoices(parts: readonly object[]): boolean {
  const names = parts.flatMap(Object.keys);
  return names.length > 0 && names.every((name) => CHOICE_KEYWORDS.has(name));
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
const PLAIN: ReadonlySet<string> = new Set(["properties", "items", "additionalProperties"]);

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

/** What to write in place of keywords that there are and that are not supported. */
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
  return findIn(schema, "the schema").problems;
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
  let found = needed.get(schema);
  if (!found) needed.set(schema, (found = findIn(schema, "")));
  return found;
}

/** What was found on the way through a schema. */
interface Found {
  readonly problems: string[];
  readonly patterns: string[];
  hasConditions: boolean;
  isRare: boolean;
}

function findIn(schema: unknown, place: string): Found {
  const found: Found = { problems: [], patterns: [], hasConditions: false, isRare: false };
  inspect(schema, place, 0, found);
  return found;
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
  if (keyword === "oneOf" && isChoices(value as readonly unknown[])) return;
  if (RARE.has(keyword) || (HOLDERS.has(keyword) && !PLAIN.has(keyword))) found.isRare = true;
  if (keyword === "pattern") found.patterns.push(value as string);
  else if (keyword === "showIf" || keyword === "rules") found.hasConditions = true;
  for (const [part, keys] of partsIn(keyword, value)) {
    const name = String(keys.at(-1));
    if (keyword === "patternProperties") found.patterns.push(name);
    if (keyword === "properties" && FORBIDDEN_KEYS.has(name)) {
      problems.push(`${place} names a property "${name}", which is reserved. Choose another name.`);
    }
    inspect(part, `${place}.${keys.join(".")}`, depth + 1, found);
  }
}
