import { findConditionProblems, loadChecks } from "../expression/ready-schema.ts";
import { errorData, type ErrorCode } from "../model/errors.ts";
import { choicesOf } from "../model/choices.ts";
import { checkJson, type CheckOptions } from "../model/check-json.ts";
import { lowerSchema } from "../ports/lower-schema.ts";
import { isName } from "../model/ids.ts";
import { MAX_CHOICES, MAX_FORM_PARTS } from "../model/limits.ts";
import { checkJsonSchema } from "../model/check-json-schema.ts";
import { type FormRule, type JsonSchema, otherParts } from "../model/json-schema.ts";
import type { FormPart } from "./field-keys.ts";
import { schemaOfFields } from "./form-fields.ts";
import { findLayoutProblem } from "./form-parts.ts";

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
  /** Where it stands in the schema of the form. */
  readonly keys?: readonly (string | number)[];
  readonly column?: number;
}

/** Reads the short way of writing a form. */
export function formOfFields(fields: readonly FormPart[], rules?: readonly FormRule[]): Promise<Form | readonly FormProblem[]> {
  const { schema, order, problems } = schemaOfFields(fields);
  if (problems.length > 0) return Promise.resolve(problems.map(wrong));
  const whole = rules ? { ...schema, rules } : schema;
  const wrongRules = checkJsonSchema(whole);
  if (wrongRules.length > 0) return Promise.resolve(wrongRules.map(wrong));
  return checkForm({ schema: whole, order });
}

/**
 * Reads a form written as a schema. Fields it does not name are refused unless it says otherwise. Definitions keep no order of keys, so the
 * required fields come first, as they are listed, and the others by name, unless its `layout` says otherwise.
 */
export async function formOfSchema(given: JsonSchema): Promise<Form | readonly FormProblem[]> {
  let written: JsonSchema;
  try {
    written = lowerSchema(given, "The form");
  } catch (thrown) {
    return [wrong(errorData(thrown, "SCHEMA_INVALID").message)];
  }
  if (written.type !== undefined && written.type !== "object") return [wrong('The schema of a form has the type "object".')];
  const names = Object.keys(written.properties ?? {});
  const required = new Set(written.required);
  const lost = [...required].filter((name) => !Object.hasOwn(written.properties ?? {}, name));
  if (lost.length > 0) return [wrong(`The schema requires ${lost.join(", ")}, which it does not describe. Add each to "properties".`)];
  const branches = findBranchProblems(written);
  if (branches.length > 0) return branches;
  const problem = findLayoutProblem(written.layout, names);
  if (problem !== undefined) return [wrong(problem)];
  const laid = (written.layout ?? []).filter((part) => typeof part === "string");
  const order = [...new Set([...laid, ...required, ...names.toSorted()])];
  const properties = Object.fromEntries(order.map((name) => [name, written.properties![name]!]));
  return checkForm({ schema: { additionalProperties: false, ...written, type: "object", properties }, order });
}

/** Keywords whose schemas say more about the object that they stand in. */
const BRANCHES: ReadonlySet<string> = new Set(["if", "then", "else", "allOf", "anyOf", "oneOf", "dependentSchemas"]);

/** Fields that only a branch of the schema describes: no page would draw them, and the object refuses what it does not name. */
function findBranchProblems(group: JsonSchema, keys: readonly (string | number)[] = []): readonly FormProblem[] {
  const known = group.properties ?? {};
  const inBranches = (part: JsonSchema, at: readonly (string | number)[]): readonly FormProblem[] =>
    otherParts(part).flatMap(([branch, inner]) => {
      if (!BRANCHES.has(String(inner[0]))) return [];
      const place = [...at, ...inner];
      const lost = Object.keys(branch.properties ?? {}).filter((name) => !Object.hasOwn(known, name));
      const own = lost.map((name) => ({
        ...wrong(
          `Only "${String(inner[0])}" describes the field "${name}", so no page would ask it. Put it under "properties" with the condition under which it is asked: "showIf": "\${fields.kind} == 'other'".`,
        ),
        keys: [...place, "properties", name],
      }));
      return [...own, ...inBranches(branch, place)];
    });
  const groups = Object.entries(known).flatMap(([name, part]): readonly FormProblem[] => {
    const at = [...keys, "properties", name];
    return [...findBranchProblems(part, at), ...(part.items ? findBranchProblems(part.items, [...at, "items"]) : [])];
  });
  return [...inBranches(group, keys), ...groups];
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
    const checks = await loadChecks(schema);
    const conditions = await findConditionProblems(schema);
    if (conditions.length > 0) return conditions.map((problem) => ({ code: "BLOCK_INPUT_INVALID", ...problem }));
    return findWrongPresets(form, { ...checks, formats: true, root: schema }) ?? form;
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

function findWrongPresets({ schema, order }: Form, checks: CheckOptions): FormProblem[] | undefined {
  const problems = order.flatMap((name) => wrongPresets(name, schema.properties![name]!, checks));
  return problems.length > 0 ? problems : undefined;
}

/** Limits counted from today are looked at when the answer comes: what loads today loads tomorrow. */
function wrongPresets(place: string, field: JsonSchema, checks: CheckOptions): FormProblem[] {
  const { enum: _values, oneOf: _oneOf, ...rules } = field;
  const choices = (field.const === undefined ? choicesOf(field) : []).map(({ const: value }) => ({ what: "choice", value, rules }));
  const presets = field.default === undefined ? [] : [{ what: "default", value: field.default, rules: field }];
  const own = [...choices, ...presets].flatMap(({ what, value, rules }) =>
    checkJson(rules, value, checks).map(({ message }) =>
      wrong(`The ${what} ${JSON.stringify(value)} of the field "${place}" does not fit the field: it ${message}.`),
    ),
  );
  const inner = Object.entries({ ...field.items?.properties, ...field.properties });
  return [...own, ...inner.flatMap(([name, member]) => wrongPresets(`${place}.${name}`, member, checks))];
}

function wrong(message: string): FormProblem {
  return { code: "BLOCK_INPUT_INVALID", message };
}
