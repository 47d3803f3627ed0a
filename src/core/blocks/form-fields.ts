import type { JsonSchema, JsonType, JsonChoice } from "../model/json-schema.ts";
import { type Value, isRecord } from "../model/value.ts";
import { CHOICES_FROM, listChoices } from "./choices.ts";

/** A field as the short way of writing has it. */
export interface FormField {
  readonly name: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "file";
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: Value;
  readonly enum?: readonly Value[] | { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
  readonly pattern?: string;
  readonly format?: string;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly min_items?: number;
  readonly max_items?: number;
  readonly accept?: string;
  readonly max_bytes?: number;
  readonly multiple?: boolean;
}

/** A field whose choices are a list. */
type ListedField = Omit<FormField, "enum"> & { readonly enum?: readonly Value[] };

/** How the input `fields` is written. */
export const FIELDS_SCHEMA: JsonSchema = {
  type: "array",
  minItems: 1,
  items: {
    type: "object",
    properties: {
      name: { type: "string", description: "Names the value in the outputs: letters, digits, `_`, `-`." },
      type: {
        type: "string",
        enum: ["string", "integer", "number", "boolean", "array", "file"],
        default: "string",
        description: "What kind of value; with `array` one may choose several of `enum`.",
      },
      title: { type: "string", description: "The label. Default: made from the name." },
      description: { type: "string", description: "A hint below the label." },
      required: { type: "boolean", description: "Whether an answer must have it. Default: `true` where there is no `default`." },
      default: { description: "Taken where the answer leaves the field out; pages show it at first." },
      enum: {
        type: ["array", "object"],
        minItems: 1,
        properties: CHOICES_FROM,
        required: ["from"],
        additionalProperties: false,
        description:
          "The values to choose from, 1,000 at most; for an array, those of its items. One that people read otherwise is `{ value, title }`, with a `description` where it needs one. `{ from, value, title }` makes choices from the items of a list.",
      },
      pattern: { type: "string", description: "What a text must match (RE2 syntax), anywhere in it: write `^` and `$` for all of it." },
      format: {
        type: "string",
        enum: ["email", "uri", "date", "date-time", "multiline"],
        description: "The form of a text. `date` is like 2026-11-21, `date-time` like 2026-11-21T14:30.",
      },
      min_length: { type: "integer", minimum: 0, description: "Characters a text has at least. Default: 1 where it is required, else 0." },
      max_length: { type: "integer", minimum: 0, description: "Characters a text has at most." },
      minimum: { type: "number", description: "The least number." },
      maximum: { type: "number", description: "The greatest number." },
      min_items: {
        type: "integer",
        minimum: 0,
        description: "How many one must choose at least, in an `array`, or attach, with `multiple`. Default there: 1 where it is required.",
      },
      max_items: { type: "integer", minimum: 0, description: "How many one may choose, in an `array`, or attach, with `multiple`." },
      accept: {
        type: "string",
        minLength: 1,
        description: "The files that a `file` may be: `image/*`, `application/pdf,.txt`. Default: any.",
      },
      max_bytes: { type: "integer", minimum: 0, description: "Bytes a `file` has at most." },
      multiple: { type: "boolean", description: "Whether a `file` may be several: then the value is a list. Default: `false`." },
    },
    required: ["name"],
    additionalProperties: false,
  },
  description: "The fields, 1 to 100, in their order. Not together with `schema`.",
};

type Rule = Exclude<keyof FormField, "name" | "type" | "title" | "description" | "required" | "default">;

/** The rules that say something about each type, and what JSON Schema calls them. */
const RULES: { readonly [type in NonNullable<FormField["type"]>]: ReadonlyMap<Rule, keyof JsonSchema> } = {
  string: new Map([
    ["enum", "enum"],
    ["pattern", "pattern"],
    ["format", "format"],
    ["min_length", "minLength"],
    ["max_length", "maxLength"],
  ]),
  integer: numberRules(),
  number: numberRules(),
  boolean: new Map([["enum", "enum"]]),
  array: new Map([
    ["enum", "items"],
    ["min_items", "minItems"],
    ["max_items", "maxItems"],
  ]),
  file: new Map([
    ["accept", "contentMediaType"],
    ["max_bytes", "maxLength"],
    ["multiple", "items"],
    ["min_items", "minItems"],
    ["max_items", "maxItems"],
  ]),
};

function numberRules(): ReadonlyMap<Rule, keyof JsonSchema> {
  return new Map([
    ["enum", "enum"],
    ["minimum", "minimum"],
    ["maximum", "maximum"],
  ]);
}

const ALL_RULES: ReadonlySet<string> = new Set(Object.values(RULES).flatMap((rules) => [...rules.keys()]));

/** The schema that the fields mean, with what is wrong with how they are written. */
export function schemaOfFields(written: readonly FormField[]): { readonly schema: JsonSchema; readonly problems: readonly string[] } {
  const fields = written.map((field) =>
    isRecord(field.enum) ? { ...field, enum: listChoices(field.enum) } : field,
  ) as readonly ListedField[];
  const names = fields.map(({ name }) => name);
  const seen = new Set<string>();
  const problems = [...new Set(names.filter((name) => seen.size === seen.add(name).size))].map(
    (name) => `The field "${name}" is given twice. Name each field otherwise.`,
  );
  for (const field of fields) {
    const { type = "string" } = field;
    for (const rule of Object.keys(field)) {
      const isAside = type === "file" && !field.multiple && (rule === "min_items" || rule === "max_items");
      if (ALL_RULES.has(rule) && (isAside || !RULES[type].has(rule as Rule))) {
        problems.push(
          `The field "${field.name}" is of type ${type}, for which "${rule}" says nothing. Use: ${[...RULES[type].keys()].join(", ")}.`,
        );
      }
    }
    if (field.enum?.length === 0) problems.push(`The field "${field.name}" has nothing to choose from: its list is empty.`);
    problems.push(...findChoiceProblems(field.enum ?? []).map((problem) => `The field "${field.name}" ${problem}`));
  }
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
      required: fields.filter(isRequired).map(({ name }) => name),
      additionalProperties: false,
    },
    problems,
  };
}

function isRequired({ required, default: preset = null }: ListedField): boolean {
  return required ?? preset === null;
}

function schemaOfField(field: ListedField): JsonSchema {
  const { type = "string", title, description, default: preset = null } = field;
  if (type === "file") return schemaOfFile(field);
  const rules = [...RULES[type]].flatMap(([rule, keyword]): readonly (readonly [string, unknown])[] => {
    const value = field[rule];
    if (value === undefined) return [];
    if (rule !== "enum") return [[keyword, value]];
    const choices = schemaOfChoices(field.enum!);
    return keyword === "items" ? [[keyword, choices]] : Object.entries(choices);
  });
  return {
    type: type satisfies JsonType,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(preset === null ? {} : { default: preset }),
    // A page cannot leave a text out: an empty one is no answer where one is needed.
    ...(type === "string" && isRequired(field) && field.enum === undefined ? { minLength: 1 } : {}),
    ...Object.fromEntries(rules),
  };
}

function schemaOfFile(field: ListedField): JsonSchema {
  const { title, description, accept, max_bytes: maxLength, multiple, min_items: least, max_items: maxItems } = field;
  const about = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
  const file: JsonSchema = {
    type: "object",
    format: "file",
    ...(accept === undefined ? {} : { contentMediaType: accept }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
  if (!multiple) return { ...file, ...about };
  const minItems = least ?? (isRequired(field) ? 1 : undefined);
  return {
    type: "array",
    items: file,
    ...about,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

/** What is wrong with the choices of a field, told as what the field does. */
function findChoiceProblems(choices: readonly Value[]): readonly string[] {
  const labelled = choices.flatMap((choice) => (isRecord(choice) ? [choice] : []));
  const form = "Write a choice that people read otherwise as { value, title, description }, the last one where it needs it.";
  for (const choice of labelled) {
    if (choice["value"] === undefined) return [`has a choice without its value: ${JSON.stringify(choice)}. ${form}`];
    const strange = Object.keys(choice).find((key) => key !== "value" && !(isTextKey(key) && isLabel(choice[key])));
    if (strange !== undefined) return [`has a choice with "${strange}": ${JSON.stringify(choice[strange])}. ${form}`];
  }
  const values = choices.map((choice) => JSON.stringify(choiceOf(choice).const));
  const seen = new Set<string>();
  const twice = labelled.length > 0 ? values.find((value) => seen.size === seen.add(value).size) : undefined;
  return twice === undefined ? [] : [`offers the value ${twice} twice. Make all values different.`];
}

/** The keywords that say what may be chosen, labels included where there are any. */
function schemaOfChoices(choices: readonly Value[]): Pick<JsonSchema, "enum" | "oneOf"> {
  const parts = choices.map(choiceOf);
  return parts.some(({ title, description }) => title ?? description) ? { oneOf: parts } : { enum: parts.map((part) => part.const) };
}

function choiceOf(choice: Value): JsonChoice {
  if (!isRecord(choice)) return { const: choice };
  const { value, ...texts } = choice;
  return { const: value as Value, ...texts };
}

function isTextKey(key: string): boolean {
  return key === "title" || key === "description";
}

function isLabel(text: unknown): boolean {
  return typeof text === "string" && text !== "";
}
