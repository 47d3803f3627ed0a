import type { FormRule, JsonSchema } from "../model/json-schema.ts";
import type { LocalizedText } from "../model/localized-text.ts";
import type { Value } from "../model/value.ts";
import { CHOICES_FROM } from "./choices.ts";
import { type Content, CONTENT_KEYS } from "./form-parts.ts";

/** A field as the short way of writing has it. */
export interface FormField {
  readonly name: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
  readonly title?: LocalizedText;
  readonly description?: LocalizedText;
  readonly required?: boolean;
  readonly default?: Value;
  readonly enum?: readonly Value[] | { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
  readonly other?: boolean | LocalizedText;
  readonly exclusive?: readonly Value[];
  readonly pattern?: string;
  readonly format?: string;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly unit?: LocalizedText;
  readonly currency?: string;
  readonly min?: string;
  readonly max?: string;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly accept?: string;
  readonly max_bytes?: number;
  readonly multiple?: boolean;
  readonly fields?: readonly FormPart[];
  readonly item?: LocalizedText;
  readonly rows?: readonly Value[];
  readonly autocomplete?: string;
  readonly capture?: "user" | "environment" | "signature";
  readonly show_if?: string;
  readonly messages?: { readonly [key: string]: LocalizedText };
  readonly rules?: readonly FormRule[];
}

/** A line of `fields`: a field, or what stands between fields. */
export type FormPart = FormField | Content;

/** How deep fields stand in fields: a form, a list in it, and a list in that. */
const MAX_FIELDS_DEPTH = 3;

const FIELD_KEYS: NonNullable<JsonSchema["properties"]> = {
  name: { type: "string", description: "Names the value in the outputs: letters, digits, `_`, `-`." },
  type: {
    type: "string",
    enum: ["string", "integer", "number", "boolean", "array", "object", "file"],
    default: "string",
    description:
      "What kind of value. With `array`, people choose several of `enum`, or give as many groups of `fields` as they want; an `object` is one such group.",
  },
  title: { type: ["string", "object"], description: "The label, or one a language: `{ en, de }`. Default: made from the name." },
  description: { type: ["string", "object"], description: "A hint below the label." },
  required: { type: "boolean", description: "Whether an answer must have it. Default: `true` where there is no `default`." },
  default: { description: "Taken where the answer leaves the field out; pages show it at first." },
  enum: {
    type: ["array", "object"],
    minItems: 1,
    properties: CHOICES_FROM,
    required: ["from"],
    additionalProperties: false,
    description:
      "The values to choose from, 1,000 at most; of an array, those of its items. `{ value, title, description }` is one that people read otherwise. `{ from, value, title }` makes choices from the items of a list.",
  },
  other: {
    type: ["boolean", "string", "object"],
    description:
      "Whether a text that is none of `enum` is an answer too, and what people choose to write one: `true` is “Other”. All of `enum` are texts then.",
  },
  exclusive: {
    type: "array",
    minItems: 1,
    description: "Values of `enum` that stand alone.",
  },
  pattern: { type: "string", description: "What a text must match (RE2 syntax), anywhere in it: write `^` and `$` for all of it." },
  format: {
    type: "string",
    enum: [
      "email",
      "tel",
      "uri",
      "date",
      "date-time",
      "time",
      "month",
      "multiline",
      "password",
      "address",
      "matrix",
      "ranking",
      "rating",
      "money",
    ],
    description:
      "The form of a text: `date` is like 2026-11-21, `date-time` like 2026-11-21T14:30, `month` like 2026-11. The name of a `password` ends like a secret: `token`. Of an `object`: `address`, or a `matrix` of `rows` and `enum`. Of an `array`: `ranking`, all of `enum` in an order. Of an `integer`: `rating`, from `minimum` to `maximum`, or `money`, in the smallest unit of its `currency`: 1050 is 10.50 EUR.",
  },
  min_length: { type: "integer", minimum: 0, description: "Characters a text has at least. Default: 1 where it is required, else 0." },
  max_length: { type: "integer", minimum: 0, description: "Characters a text has at most." },
  minimum: { type: "number", description: "The least number." },
  maximum: { type: "number", description: "The greatest number." },
  unit: { type: ["string", "object"], description: "What a number counts, shown beside it: `kg`, or one a language." },
  currency: { type: "string", description: "Of `money`: the currency, by its code of ISO 4217, such as `EUR`." },
  min: {
    type: "string",
    description:
      "The first day of a `date` or `date-time`: a day, or one counted from today in days, weeks, months or years: `today`, `today+30d`, `today-2w`, `today+6m`, `today-18y`.",
  },
  max: { type: "string", description: "The last day, written in the same way." },
  item: {
    type: ["string", "object"],
    description: "The name of one group of a list.",
  },
  min_items: {
    type: "integer",
    minimum: 0,
    description: "How many people must choose, give or attach at least. Default for `fields` and `multiple`: 1 where it is required.",
  },
  max_items: { type: "integer", minimum: 0, description: "How many people may choose, give or attach at most." },
  accept: {
    type: "string",
    minLength: 1,
    description: "The files that a `file` may be: `image/*`, `application/pdf,.txt`. Default: any.",
  },
  max_bytes: { type: "integer", minimum: 0, description: "Bytes a `file` has at most." },
  multiple: { type: "boolean", description: "Whether a `file` may be several: then the value is a list. Default: `false`." },
  rows: { type: "array", minItems: 1, description: "What a `matrix` asks on one scale: names, or `{ value, title }`." },
  capture: {
    type: "string",
    enum: ["user", "environment", "signature"],
    description: "How a `file` is made: by the camera on the side of the `user` or on the other one, or as a `signature`.",
  },
  show_if: {
    type: "string",
    minLength: 1,
    description: 'When the field is asked, by the fields beside it: `${fields.pet} == "dog"`. Default: always.',
  },
  messages: {
    type: "object",
    additionalProperties: { type: ["string", "object"] },
    description:
      "What people read where the answer does not do, or one a language, by the key that it breaks, such as `required` or `maximum`.",
  },
  autocomplete: { type: "string", minLength: 1, description: "What browsers may fill in, as HTML calls it: `given-name`, `postal-code`." },
};

/** How rules between fields are written. */
export const RULES_SCHEMA: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      check: { type: "string", minLength: 1, description: "The condition: `${fields.until} >= ${fields.from}`." },
      field: { type: "string", description: "The field at which the message stands. Default: the form as a whole." },
      message: { type: ["string", "object"], description: "What people read where it does not hold, or one a language." },
    },
    required: ["check", "message"],
    additionalProperties: false,
  },
  description: "What must hold between fields, 100 rules at most. One that looks at what was left out holds.",
};

const INNER_FIELDS =
  "The members of an `object`, or of each item of an `array`: fields like these. A list in a list is as deep as it goes.";

/** How the input `fields` is written. */
export const FIELDS_SCHEMA: JsonSchema = {
  ...fieldsSchema(MAX_FIELDS_DEPTH),
  description: "The fields, 1 to 100, in their order, with what stands between them. Not together with `schema`.",
};

function fieldsSchema(depth: number): JsonSchema {
  const inner: JsonSchema["properties"] =
    depth > 1 ? { rules: RULES_SCHEMA, fields: { ...fieldsSchema(depth - 1), description: INNER_FIELDS } } : {};
  return {
    type: "array",
    minItems: 1,
    items: { type: "object", properties: { ...FIELD_KEYS, ...inner, ...CONTENT_KEYS }, additionalProperties: false },
  };
}

export type Rule = Exclude<
  keyof FormField,
  "name" | "type" | "title" | "description" | "required" | "default" | "show_if" | "messages" | "rules"
>;

/** The rules that say something about each type, and what JSON Schema calls them. */
export const RULES: { readonly [type in NonNullable<FormField["type"]>]: ReadonlyMap<Rule, keyof JsonSchema> } = {
  string: new Map([
    ["enum", "enum"],
    ["other", "anyOf"],
    ["pattern", "pattern"],
    ["format", "format"],
    ["min_length", "minLength"],
    ["max_length", "maxLength"],
    ["min", "minDate"],
    ["max", "maxDate"],
    ["autocomplete", "autocomplete"],
  ]),
  integer: numberRules(["format", "format"], ["currency", "currency"]),
  number: numberRules(),
  boolean: new Map([["enum", "enum"]]),
  array: new Map([
    ["enum", "items"],
    ["other", "items"],
    ["exclusive", "exclusive"],
    ["fields", "items"],
    ["item", "items"],
    ["format", "format"],
    ["min_items", "minItems"],
    ["max_items", "maxItems"],
  ]),
  object: new Map([
    ["fields", "properties"],
    ["format", "format"],
    ["rows", "properties"],
    ["enum", "properties"],
  ]),
  file: new Map([
    ["accept", "contentMediaType"],
    ["capture", "capture"],
    ["max_bytes", "maxLength"],
    ["multiple", "items"],
    ["min_items", "minItems"],
    ["max_items", "maxItems"],
  ]),
};

function numberRules(...more: readonly (readonly [Rule, keyof JsonSchema])[]): ReadonlyMap<Rule, keyof JsonSchema> {
  return new Map([["enum", "enum"], ["minimum", "minimum"], ["maximum", "maximum"], ["unit", "unit"], ...more]);
}

/** The formats that only one type has; all others are of texts. */
export const FORMATS: { readonly [type in NonNullable<FormField["type"]>]?: readonly string[] } = {
  integer: ["rating", "money"],
  array: ["ranking"],
  object: ["address", "matrix"],
};

/** What all types have. */
export const COMMON: ReadonlySet<string> = new Set(["name", "type", "title", "description", "required", "default", "show_if", "messages"]);

/** The keys that a field of a type may have. */
export function keysOfType(type: NonNullable<FormField["type"]>): ReadonlySet<string> {
  const inner = type === "object" || type === "array" ? ["rules"] : [];
  return new Set([...COMMON, ...RULES[type].keys(), ...inner]);
}
