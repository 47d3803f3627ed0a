import { canonicalText } from "./fingerprint.ts";
import { MAX_CHECK_STEPS, MAX_VALUE_DEPTH } from "./limits.ts";
import { type LocalizedText, pickText } from "./localized-text.ts";
import { formatProblem } from "./json-format.ts";
import { isChoices, isPlainRecord, JSON_TYPES, type JsonChoice, type JsonSchema, type JsonType } from "./json-schema.ts";
import type { Value } from "./value.ts";
import { withArticle } from "./value-type.ts";
import { type FieldError, pathOf, pointerOf, type ValuePlace, type ValueProblem } from "./value-problem.ts";

/** Tells whether a pattern occurs in a text; given by the caller, because patterns never reach the native RegExp. */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** Problems reported at once; a list of a million wrong items needs no more. */
export const MAX_PROBLEMS = 50;
/** Values that a message lists. */
const MAX_LISTED = 100;

/**
 * What keeps a value from fitting a schema, at most 50 findings; an empty list means that it fits. Only own properties count.
 */
export function checkJson(schema: JsonSchema, value: unknown, options: CheckOptions = {}): ValueProblem[] {
  const problems: ValueProblem[] = [];
  const budget = { left: MAX_CHECK_STEPS };
  check(schema, value, undefined, 0, { root: schema, ...options, problems, limit: MAX_PROBLEMS, budget });
  // What was not looked at need not fit, nor fail to fit.
  if (budget.left < 0)
    problems.push({ path: "", instancePath: "", code: "limit", message: `takes more than ${MAX_CHECK_STEPS} steps to check` });
  return problems;
}

export interface CheckOptions {
  /** Without it no text matches a pattern. */
  readonly matches?: PatternMatcher;
  /** Whether formats are checked, as those of answers are. Default: false, they are hints. */
  readonly formats?: boolean;
  /** What references lead into. Default: the schema itself. */
  readonly root?: JsonSchema;
  /** The instant that `today` means in limits of days; without it limits counted from today are not looked at. */
  readonly now?: number | undefined;
  /** What need not be there, by JSON Pointers, though it is required: what a form does not ask. */
  readonly hidden?: ReadonlySet<string>;
  /** What the keywords mean that most schemas do without. Without it they are not looked at. */
  readonly rare?: RareCheck | undefined;
}

interface Checking extends CheckOptions {
  readonly problems: ValueProblem[];
  /** Problems after which nothing more is looked at. */
  readonly limit: number;
  readonly root: JsonSchema;
  /** Unions and references may look at a value again and again. */
  readonly budget: { left: number };
}

/** Checks the rare keywords of one schema. */
export type RareCheck = (schema: JsonSchema, value: unknown, at: PartCheck) => void;

/** What the check of a schema gives to that of its rare keywords. */
export interface PartCheck {
  readonly root: JsonSchema;
  readonly now: number | undefined;
  /** Checks a value, or with `key` a part of it, by another schema. */
  check(schema: JsonSchema, value: unknown, key?: string | number): void;
  /** Whether a value fits another schema; reports nothing. */
  fits(schema: JsonSchema, value: unknown): boolean;
  report(code: string, message: string, params?: FieldError["params"], key?: string): void;
  /** Reports those of these members that are not there. */
  require(names: readonly string[]): void;
  matches(pattern: string, text: string): boolean;
}

function check(schema: JsonSchema, value: unknown, place: ValuePlace, depth: number, checking: Checking): void {
  const { problems, limit, matches, formats, rare, budget } = checking;
  if (problems.length >= limit || budget.left < 0) return;
  if (rare) budget.left--;
  const report = (code: string, message: string, params?: FieldError["params"], at = place, of = schema): void => {
    // Where only counts whether it fits, no one reads what does not.
    if (limit === 1) return void problems.push(UNFIT);
    const text = textFor(of, code, value);
    problems.push({
      path: pathOf(at),
      instancePath: pointerOf(at),
      code,
      message: text === undefined ? message : pickText(text),
      ...(text === undefined ? {} : { text }),
      ...(params ? { params } : {}),
    });
  };
  if (depth > MAX_VALUE_DEPTH) return report("invalid", `is nested more than ${MAX_VALUE_DEPTH} levels deep`);
  if (schema.type !== undefined) {
    const types = Array.isArray(schema.type) ? (schema.type as readonly JsonType[]) : [schema.type as JsonType];
    if (!types.some((type) => JSON_TYPES[type](value))) {
      const file = schema.format === "file" && formatProblem(schema, value);
      if (file) return report(file.code, file.message, file.params);
      return report("type", `must be ${types.map((type) => (type === "null" ? type : withArticle(type))).join(" or ")}`, {
        type: schema.type as Value,
      });
    }
  }
  if (schema.enum && !isChoice(schema.enum, value, (choice) => choice))
    return report("enum", `must be one of: ${listed(schema.enum)}`, { enum: schema.enum.slice(0, MAX_LISTED) });
  if (schema.oneOf && isChoices(schema.oneOf)) {
    const choices = schema.oneOf as readonly JsonChoice[];
    if (!isChoice(choices, value, (choice) => choice.const)) {
      const titles = choices.map(({ title, const: one }) => (title === undefined ? one : pickText(title)));
      const values = choices.slice(0, MAX_LISTED).map((choice) => choice.const);
      return report("enum", `must be one of: ${listed(titles)}`, { enum: values, titles: titles.slice(0, MAX_LISTED) });
    }
  }
  if (schema.const !== undefined && canonicalText(schema.const) !== canonicalText(value))
    return report("const", `must be ${shown(schema.const)}`, { const: schema.const });
  const before = problems.length;
  const { additionalProperties: others = true, items, minItems = 0, maxItems = Infinity, pattern } = schema;
  if (typeof value === "string") {
    const { minLength = 0, maxLength = Infinity } = schema;
    const length = schema.minLength === undefined && schema.maxLength === undefined ? 0 : countCharacters(value);
    const message = value === "" ? "must not be empty" : limits(schema.minLength, schema.maxLength, "character");
    if (length < minLength) report("minLength", message, { limit: minLength });
    else if (length > maxLength) report("maxLength", message, { limit: maxLength });
    if (pattern !== undefined && !matches?.(pattern, value)) report("pattern", `must match the pattern ${pattern}`, { pattern });
  } else if (typeof value === "number") {
    for (const [code, { isMet, message }] of BOUNDS) {
      const limit = schema[code];
      if (limit !== undefined && !isMet(value, limit)) report(code, message(limit), { limit });
    }
  } else if (Array.isArray(value)) {
    const message = limits(schema.minItems, schema.maxItems, "item");
    if (value.length < minItems) report("minItems", message, { limit: minItems });
    else if (value.length > maxItems) report("maxItems", message, { limit: maxItems });
    else if (schema.uniqueItems && value.length !== new Set(value.map(canonicalText)).size)
      report("uniqueItems", "must hold nothing twice");
    if (items) {
      for (let key = schema.prefixItems?.length ?? 0; key < value.length && problems.length < limit; key++)
        check(items, value[key], { up: place, key }, depth + 1, checking);
    }
  } else if (isPlainRecord(value)) {
    const known = schema.properties ?? {};
    requireAll(schema.required ?? []);
    for (const key of Object.keys(value)) {
      if (problems.length >= limit) return;
      const part = Object.hasOwn(known, key) ? known[key] : isPatterned(key) ? {} : others;
      if (part === false)
        report("additionalProperties", `is not known here; known are: ${listed(Object.keys(known)) || "none"}`, undefined, {
          up: place,
          key,
        });
      else if (typeof part === "object") check(part, value[key], { up: place, key }, depth + 1, checking);
    }
  }
  rare?.(schema, value, {
    root: checking.root,
    now: checking.now,
    check: (part, of, key) => check(part, of, key === undefined ? place : { up: place, key }, depth + 1, checking),
    fits(part, of) {
      const found: ValueProblem[] = [];
      check(part, of, place, depth + 1, { ...checking, problems: found, limit: 1 });
      return found.length === 0;
    },
    report: (code, message, params, key) => report(code, message, params, key === undefined ? place : { up: place, key }),
    require: requireAll,
    matches: (name, text) => matches?.(name, text) ?? false,
  });
  // What is wrong in another way need not have the right form.
  const misformed = formats && problems.length === before ? formatProblem(schema, value) : undefined;
  if (misformed) report(misformed.code, misformed.message, misformed.params);

  function requireAll(names: readonly string[]): void {
    for (const key of names) {
      if (Object.hasOwn(value as object, key) || checking.hidden?.has(pointerOf({ up: place, key }))) continue;
      const member = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : {};
      report("required", "is required", undefined, { up: place, key }, member);
    }
  }

  function isPatterned(name: string): boolean {
    return rare !== undefined && Object.keys(schema.patternProperties ?? {}).some((one) => matches?.(one, name));
  }
}

/** What the author of a schema wrote for a keyword. Pages cannot leave a text out: an empty one is a missing one. */
function textFor({ messages }: JsonSchema, code: string, value: unknown): LocalizedText | undefined {
  return messages && ((code === "minLength" && value === "" ? messages["required"] : undefined) ?? messages[code]);
}

const UNFIT: ValueProblem = { path: "", instancePath: "", code: "invalid", message: "does not fit" };

/** The limits of numbers. */
const BOUNDS = new Map<
  "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
  { readonly isMet: (value: number, limit: number) => boolean; readonly message: (limit: number) => string }
>([
  ["minimum", { isMet: (value, limit) => value >= limit, message: (limit) => `must be ${limit} or more` }],
  ["maximum", { isMet: (value, limit) => value <= limit, message: (limit) => `must be ${limit} or less` }],
  ["exclusiveMinimum", { isMet: (value, limit) => value > limit, message: (limit) => `must be more than ${limit}` }],
  ["exclusiveMaximum", { isMet: (value, limit) => value < limit, message: (limit) => `must be less than ${limit}` }],
  ["multipleOf", { isMet: isMultiple, message: (limit) => `must be a multiple of ${limit}` }],
]);

/** 0.3 is a multiple of 0.1, although the division of binary fractions is not exact. */
function isMultiple(value: number, unit: number): boolean {
  const count = value / unit;
  return Math.abs(count - Math.round(count)) <= 1e-9 * Math.max(1, Math.abs(count));
}

/** Lengths count characters (code points), as JSON Schema says. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function limits(least: number | undefined, most: number | undefined, unit: string): string {
  const range = [least === undefined ? "" : `at least ${least}`, most === undefined ? "" : `at most ${most}`].filter(Boolean).join(" and ");
  return `must have ${range} ${unit}${(most ?? least) === 1 ? "" : "s"}`;
}

/** The choices of a schema as {@link canonicalText} writes them: a list of a thousand values may be compared with as many choices. */
const choiceKeys = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function isChoice<Choice>(choices: readonly Choice[], value: unknown, valueOf: (choice: Choice) => unknown): boolean {
  let keys = choiceKeys.get(choices);
  if (keys === undefined) {
    keys = new Set(choices.map((choice) => canonicalText(valueOf(choice))));
    choiceKeys.set(choices, keys);
  }
  return keys.has(canonicalText(value));
}

/** The first of some values, as messages show them. */
function listed(values: readonly unknown[]): string {
  const names = values.slice(0, MAX_LISTED).map(shown);
  return [...names, ...(values.length > MAX_LISTED ? [`… (${values.length} in all)`] : [])].join(", ");
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
