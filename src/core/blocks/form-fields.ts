import type { JsonSchema, JsonType, JsonChoice } from "../model/json-schema.ts";
import { CURRENCIES } from "../model/currencies.ts";
import { isDayLimit } from "../model/day.ts";
import { isName } from "../model/ids.ts";
import { secretKeys } from "../model/secret-keys.ts";
import { isLocalizedText, type LocalizedText } from "../model/localized-text.ts";
import { adviseName } from "../model/suggestions.ts";
import { type Value, isRecord } from "../model/value.ts";
import { listChoices } from "./choices.ts";
import { COMMON, FORMATS, type FormField, type FormPart, type Rule, RULES } from "./field-keys.ts";
import { ADDRESS, contentProblem, matrixOf, rankingOf } from "./form-parts.ts";

/** A field whose choices are a list. */
type ListedField = Omit<FormField, "enum"> & { readonly enum?: readonly Value[] };

const isSecretKey = secretKeys();

/** The most steps of a rating: each is a circle in one row. */
const MAX_RATING = 11;

/** What fields mean. */
interface FieldsSchema {
  readonly schema: JsonSchema;
  /** The names of the fields, in their order. */
  readonly order: readonly string[];
  readonly problems: readonly string[];
}

/** The schema that the fields mean, with what is wrong with how they are written. `place`: the names of the fields around them. */
export function schemaOfFields(written: readonly FormPart[], place = ""): FieldsSchema {
  const fields = written.filter(isField).map((field) => ({
    ...field,
    ...(isRecord(field.enum) ? { enum: listChoices(field.enum) } : {}),
  })) as readonly ListedField[];
  const order = fields.map(({ name }) => name);
  const seen = new Set<string>();
  const problems = [...new Set(order.filter((name) => seen.size === seen.add(name).size))].map(
    (name) => `The field "${place}${name}" is given twice. Name each field otherwise.`,
  );
  for (const [i, part] of written.entries()) {
    const problem = isField(part) ? undefined : contentProblem(part);
    if (problem !== undefined) problems.push(`${place}fields[${i}] ${problem}`);
  }
  const members = fields.map((field): [string, JsonSchema] => {
    const inner = innerOf(field, `${place}${field.name}.`);
    problems.push(...findFieldProblems(field).map((problem) => `The field "${place}${field.name}" ${problem}`), ...(inner?.problems ?? []));
    return [field.name, aboutAsking(field, schemaOfField(field, inner?.schema))];
  });
  return {
    order,
    problems,
    schema: {
      type: "object",
      properties: Object.fromEntries(members),
      required: fields.filter(isRequired).map(({ name }) => name),
      additionalProperties: false,
      // A form has its order beside the schema; what is in it has not.
      ...(fields.length < written.length || place !== "" ? { layout: written.map((part) => (isField(part) ? part.name : part)) } : {}),
    },
  };
}

function isField(part: FormPart): part is FormField {
  return part.name !== undefined;
}

/** What is wrong with how a field is written, told as what the field does. */
function findFieldProblems(field: ListedField): readonly string[] {
  const { type = "string", format, fields, rows, enum: choices, other } = field;
  const problems: string[] = [];
  for (const rule of Object.keys(field)) {
    const isAside = type === "file" && !field.multiple && (rule === "min_items" || rule === "max_items");
    if (rule === "rules" && fields) continue;
    if (isAside || !(RULES[type].has(rule as Rule) || COMMON.has(rule))) {
      problems.push(`is of type ${type}, for which "${rule}" says nothing. Use: ${[...RULES[type].keys()].join(", ")}.`);
    }
  }
  const formats = FORMATS[type] ?? [];
  const isOther = Object.values(FORMATS).some((others) => others.includes(format!));
  if (format !== undefined && RULES[type].has("format") && (formats.length > 0 || isOther) && !formats.includes(format)) {
    problems.push(`is of type ${type}, which has no format "${format}".${formats.length > 0 ? ` Use: ${formats.join(", ")}.` : ""}`);
  }
  for (const key of ["min", "max"] as const) {
    const limit = field[key];
    if (limit === undefined || type !== "string") continue;
    if (format !== "date" && format !== "date-time")
      problems.push(`has a "${key}", a limit of days. Give it the format "date" or "date-time".`);
    if (!isDayLimit(limit))
      problems.push(`has the "${key}" ${JSON.stringify(limit)}. Write a day, 2026-11-21, or one counted from today: today+30d, today-18y.`);
  }
  // What stands under any other name is kept in the clear.
  if (format === "password" && !isSecretKey(field.name)) {
    problems.push(
      `is a password, which would be stored in the clear under this name. Let its name end with "password", "secret" or "token": door_password.`,
    );
  }
  if (choices?.length === 0) problems.push("has nothing to choose from: its list is empty.");
  problems.push(...findChoiceProblems(choices ?? []), ...findChoiceProblems(rows ?? []));
  if (type === "object" && format !== "address" && (format === "matrix" ? !rows || !choices : !fields)) {
    problems.push(format === "matrix" ? 'is a matrix. Give it "rows" and, as "enum", a scale.' : 'is a group. Give it "fields".');
  }
  const named = Object.keys(field.messages ?? {}).find((key) => keywordOf(field, key) === undefined);
  if (named !== undefined) problems.push(`has a message for "${named}", which a field of type ${type} cannot break.`);
  for (const [key, text] of Object.entries({
    title: field.title,
    description: field.description,
    unit: field.unit,
    ...(isRecord(other) ? { other } : {}),
    ...field.messages,
  })) {
    if (text !== undefined && !isLocalizedText(text))
      problems.push(`has a "${key}" that is no text. Write a text, or one a language: { en: …, de: … }.`);
  }
  if (other && (!choices || format === "ranking")) problems.push('has "other" without choices. Give it "enum".');
  if (other && choices?.some((choice) => typeof choiceOf(choice).const !== "string"))
    problems.push('has "other", and choices that are no texts. What is written there is a text: write all values as texts.');
  const offered = (choices ?? []).map((choice) => JSON.stringify(choiceOf(choice).const));
  if (field.exclusive?.some((value) => !offered.includes(JSON.stringify(value))))
    problems.push('has "exclusive" values that are not in "enum".');
  if (fields && choices) problems.push('has both "fields" and "enum". Leave out one of them.');
  if (format === "ranking" && !choices) problems.push('is a ranking. Say in "enum" of what.');
  const names = [...(fields ?? []).flatMap(({ name }) => name ?? []), ...(rows ?? []).map((row) => choiceOf(row).const)];
  const unnamed = names.find((name) => !isName(name));
  if (unnamed !== undefined)
    problems.push(`has a part that cannot be named ${JSON.stringify(unnamed).slice(0, 100)}. Use letters, digits, "_" and "-".`);
  if (format === "rating") {
    const { minimum, maximum } = field;
    const steps = (maximum ?? Infinity) - (minimum ?? -Infinity);
    if (!(steps > 0 && steps < MAX_RATING))
      problems.push(`is a rating. Give it a "minimum" and a "maximum", at most ${MAX_RATING} steps in all.`);
  }
  if (type === "integer" && (format === "money") !== (field.currency !== undefined))
    problems.push(format === "money" ? 'is money. Give it a "currency": EUR.' : 'has a "currency". Give it the format "money".');
  if (field.currency !== undefined && !CURRENCIES.has(field.currency))
    problems.push(`has the currency "${field.currency}", which ISO 4217 has not.${adviseName(field.currency, CURRENCIES).sentence}`);
  return problems;
}

/** What stands in a field that has fields. */
function innerOf({ type, format, fields, required }: ListedField, place: string): FieldsSchema | undefined {
  if (fields) return schemaOfFields(fields, place);
  // All of an address that may be left out may be left out.
  const parts = required === false ? ADDRESS.map((part) => ({ ...part, required: false })) : ADDRESS;
  return type === "object" && format === "address" ? schemaOfFields(parts, place) : undefined;
}

/** The keyword that a key of a field means, where it is one that an answer may break. */
function keywordOf({ type = "string", format }: ListedField, key: string): string | undefined {
  if (key === "required" || key === "type" || (key === "format" && format !== undefined)) return key;
  return key === "enum" ? key : key === "other" || key === "item" ? undefined : RULES[type].get(key as Rule);
}

/** The schema of a field with when it is asked, and what people read where it does not fit. The items of a list have no messages of their own. */
function aboutAsking(field: ListedField, schema: JsonSchema): JsonSchema {
  const { show_if: showIf, messages, rules } = field;
  const own = messages && {
    messages: Object.fromEntries(Object.entries(messages).map(([key, text]) => [keywordOf(field, key)!, text])),
  };
  const group = schema.items ?? schema;
  const inner = { ...(rules ? { rules } : {}), ...(schema.items && !schema.items.properties ? own : {}) };
  return {
    ...(schema.items ? { ...schema, items: { ...group, ...inner } } : { ...schema, ...inner }),
    ...own,
    ...(showIf === undefined ? {} : { showIf }),
  };
}

/** Where something of the schema of fields stands in how they are written. */
export function placeInFields(written: readonly FormPart[], keys: readonly (string | number)[]): readonly (string | number)[] {
  const [keyword, name, ...rest] = keys;
  if (keyword === "items") return placeInFields(written, keys.slice(1));
  if (keyword !== "properties") return keys.map((key) => (key === "showIf" ? "show_if" : key));
  const at = written.findIndex((part) => isField(part) && part.name === name);
  const part = written[at] as FormField;
  const isInner = rest.includes("properties");
  return [at, ...(isInner ? ["fields"] : []), ...placeInFields(part.fields ?? [], rest)];
}

function isRequired({ required, default: preset = null }: ListedField): boolean {
  return required ?? preset === null;
}

function schemaOfField(field: ListedField, inner: JsonSchema | undefined): JsonSchema {
  const { type = "string", format, title, description, default: preset = null, rows = [], min_items: least } = field;
  if (type === "file") return schemaOfFile(field);
  const choices = schemaOfChoices(field);
  const rules = [...RULES[type]].flatMap(([rule, keyword]): readonly (readonly [string, unknown])[] => {
    const value = field[rule];
    if (value === undefined || ["fields", "rows", "other", "item"].includes(rule)) return [];
    if (rule !== "enum") return [[keyword, value]];
    return keyword === "items" ? [[keyword, choices]] : keyword === "properties" ? [] : Object.entries(choices);
  });
  return {
    type: type satisfies JsonType,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(preset === null ? {} : { default: preset }),
    // A page cannot leave a text out: an empty one is no answer where one is needed.
    ...(type === "string" && isRequired(field) && field.enum === undefined ? { minLength: 1 } : {}),
    ...Object.fromEntries(rules),
    ...(type === "object" ? inner : {}),
    ...(type === "array" && inner
      ? {
          items: field.item === undefined ? inner : { title: field.item, ...inner },
          ...(isRequired(field) ? { minItems: least ?? 1 } : {}),
        }
      : {}),
    ...(format === "matrix" ? matrixOf(rows.map(rowOf), choices, isRequired(field)) : {}),
    ...(format === "ranking" ? rankingOf(choices, field.enum?.length ?? 0) : {}),
  };
}

function rowOf(row: Value): { readonly name: string; readonly title?: LocalizedText | undefined } {
  const { const: name, title } = choiceOf(row);
  return { name: String(name), title };
}

/** A signature is drawn, or typed as a name. */
const SIGNATURE_TYPES = "image/png,text/plain";

function schemaOfFile(field: ListedField): JsonSchema {
  const {
    title,
    description,
    capture,
    accept = capture === "signature" ? SIGNATURE_TYPES : undefined,
    max_bytes: maxLength,
    multiple,
    min_items: least,
    max_items: maxItems,
  } = field;
  const about = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
  const file: JsonSchema = {
    type: "object",
    format: "file",
    ...(accept === undefined ? {} : { contentMediaType: accept }),
    ...(capture === undefined ? {} : { capture }),
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

/** The keywords that say what may be chosen, labels included where there are any, and whether other texts may be given. */
function schemaOfChoices({ enum: choices = [], other }: ListedField): JsonSchema {
  const parts = choices.map(choiceOf);
  const listed = parts.some(({ title, description }) => title ?? description)
    ? { oneOf: parts }
    : { enum: parts.map((part) => part.const) };
  if (!other) return listed;
  // Other texts are not empty.
  return { type: "string", minLength: 1, anyOf: [listed, { type: "string", ...(other === true ? {} : { title: other }) }] };
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
  return text !== "" && isLocalizedText(text);
}
