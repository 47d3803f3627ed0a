import { compileMatcher } from "../expression/pattern.ts";
import { errorData, type ErrorCode } from "../model/errors.ts";
import { checkJsonSchema, choicesOf, schemaPatterns } from "../model/json-schema.ts";
import { checkJson } from "../model/check-json.ts";
import { isName } from "../model/ids.ts";
import { MAX_CHOICES, MAX_FORM_PARTS } from "../model/limits.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { schemaOfFields, type FormField } from "./form-fields.ts";

/** Fields of one form. */
const MAX_FORM_FIELDS = 100;

/** A form as it is asked. */
export interface Form {
  readonly schema: JsonSchema;
  /** The names of its fields, in their order. */
  readonly order: readonly string[];
}

/** What keeps a form from being asked. */
export interface FormProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Reads the short way of writing a form. */
export function formOfFields(fields: readonly FormField[]): Promise<Form | readonly FormProblem[]> {
  const { schema, problems } = schemaOfFields(fields);
  if (problems.length > 0) return Promise.resolve(problems.map(wrong));
  return checkForm({ schema, order: fields.map(({ name }) => name) });
}

/**
 * Reads a form written as a schema. Fields it does not name are refused unless it says otherwise. Definitions keep no order of keys, so the
 * required fields come first, as they are listed, and the others by name.
 */
export async function formOfSchema(written: JsonSchema): Promise<Form | readonly FormProblem[]> {
  const problems = checkJsonSchema(written);
  if (problems.length > 0) return problems.map(wrong);
  if (written.type !== undefined && written.type !== "object") return [wrong('The schema of a form has the type "object".')];
  const names = Object.keys(written.properties ?? {});
  const required = new Set(written.required);
  const lost = [...required].filter((name) => !Object.hasOwn(written.properties ?? {}, name));
  if (lost.length > 0) return [wrong(`The schema requires ${lost.join(", ")}, which it does not describe. Add each to "properties".`)];
  const order = [...required, ...names.filter((name) => !required.has(name)).toSorted()];
  const properties = Object.fromEntries(order.map((name) => [name, written.properties![name]!]));
  return checkForm({ schema: { additionalProperties: false, ...written, type: "object", properties }, order });
}

async function checkForm(form: Form): Promise<Form | readonly FormProblem[]> {
  const { schema, order } = form;
  if (order.length === 0 || order.length > MAX_FORM_FIELDS) {
    return [wrong(`A form has 1 to ${MAX_FORM_FIELDS} fields; this one has ${order.length}.`)];
  }
  const tooMany = findTooMany(schema);
  if (tooMany) return [wrong(tooMany)];
  const unnamed = order.filter((name: unknown) => !isName(name));
  if (unnamed.length > 0) {
    return unnamed.map((name) => wrong(`A field cannot be named ${JSON.stringify(name.slice(0, 100))}. Use letters, digits, "_" and "-".`));
  }
  try {
    const matches = await compileMatcher(schemaPatterns(schema));
    return findWrongPresets(form, matches) ?? form;
  } catch (thrown) {
    const { code, message } = errorData(thrown, "PATTERN_INVALID");
    return [{ code, message }];
  }
}

/** Where a form is more than a page can draw at once. */
function findTooMany(schema: JsonSchema): string | undefined {
  let parts = 0;
  let crowded: string | undefined;
  const count = (field: JsonSchema, place: string): void => {
    const choices = choicesOf(field).length;
    parts += 1 + choices;
    if (choices > MAX_CHOICES) crowded ??= `The field "${place}" offers ${choices} choices; ${MAX_CHOICES} are allowed (MAX_CHOICES).`;
    if (field.items) count(field.items, place);
    for (const [name, member] of Object.entries(field.properties ?? {})) count(member, place === "" ? name : `${place}.${name}`);
  };
  count(schema, "");
  if (crowded !== undefined) return `${crowded} Ask in steps, or for a text.`;
  if (parts <= MAX_FORM_PARTS) return undefined;
  return `A form has at most ${MAX_FORM_PARTS} fields and choices in all (MAX_FORM_PARTS); this one has ${parts}. Ask in several forms.`;
}

function findWrongPresets({ schema, order }: Form, matches: (pattern: string, text: string) => boolean): FormProblem[] | undefined {
  const problems = order.flatMap((name) => {
    const field = schema.properties![name]!;
    const { enum: values = [], oneOf = [], ...rules } = field;
    const choices = [...values, ...oneOf.map((choice) => choice.const)].map((value) => ({ what: "choice", value, rules }));
    const presets = field.default === undefined ? [] : [{ what: "default", value: field.default, rules: field }];
    return [...choices, ...presets].flatMap(({ what, value, rules }) =>
      checkJson(rules, value, { matches, formats: true }).map(({ message }) =>
        wrong(`The ${what} ${JSON.stringify(value)} of the field "${name}" does not fit the field: it ${message}.`),
      ),
    );
  });
  return problems.length > 0 ? problems : undefined;
}

function wrong(message: string): FormProblem {
  return { code: "BLOCK_INPUT_INVALID", message };
}
