import { checkJson } from "../model/check-json.ts";
import { readySchema } from "../expression/ready-schema.ts";
import type { FormRule, JsonSchema } from "../model/json-schema.ts";
import type { Value, Values } from "../model/value.ts";
import { isRecord } from "../model/value.ts";
import { failure, invalid, pause, success } from "../ports/block.ts";
import type { BlockType, InputProblem } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { FIELDS_SCHEMA, type FormPart, RULES_SCHEMA } from "./field-keys.ts";
import { placeInFields } from "./form-fields.ts";
import { findTextProblems, QUESTION_INPUTS, questionOf, READ_TEXT } from "./question-inputs.ts";
import { formOfFields, formOfSchema, type Form, type FormProblem } from "./form-schema.ts";

/** Asks for several values at once. The answer is an object; its values are the outputs, each under the name of its field. */
export const formBlock: BlockType = defineBlock({
  type: "Form",
  description: "Asks for several values at once.",
  pure: true,
  asks: "once",
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        prompt: {
          ...READ_TEXT,
          description: "What the form is about, as people read it: a text, or one a language, `{ en, de }`.",
        },
        fields: FIELDS_SCHEMA,
        rules: RULES_SCHEMA,
        schema: { type: "object", description: "The answer as a JSON Schema of the type `object`, in place of `fields`." },
        ...QUESTION_INPUTS,
        prefill: {
          type: "object",
          description: "What the fields show before anything is typed, by name: goes before their defaults. An earlier answer goes first.",
        },
      },
      required: ["prompt"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      description: "The values of the fields, each under the name of its field; `null` where one was left out.",
    },
  },
  async checkInputs({ fields, schema, rules, prompt, title }, written) {
    const given = ["fields", "schema"].filter((name) => written[name] !== undefined);
    const [input] = given;
    if (input === undefined || given.length > 1) {
      return [{ input: "fields", code: "BLOCK_INPUT_INVALID", message: 'A form has either "fields" or a "schema".' }];
    }
    const outer = Object.entries({ fields, rules, schema }).find(([name, read]) => read === undefined && seesMore(written[name]))?.[0];
    if (outer !== undefined) {
      const message =
        "A condition of a form sees its own fields alone: ${fields.name}. Give it what else it needs as the default of a field.";
      return [{ input: outer, code: "BLOCK_INPUT_INVALID", message }];
    }
    // One with references is only known later; one of the wrong shape is reported by the block's schema.
    if (fields === undefined ? schema === undefined : checkJson(FIELDS_SCHEMA, fields).length > 0) return [];
    const texts = findTextProblems({ prompt, title });
    const known = rules === undefined || checkJson(RULES_SCHEMA, rules).length > 0 ? undefined : (rules as unknown as readonly FormRule[]);
    if (known && fields === undefined) {
      return [{ input: "rules", code: "BLOCK_INPUT_INVALID", message: 'The rules of a "schema" stand in it, as its keyword "rules".' }];
    }
    const form = await readForm({ fields, schema, rules: known });
    return [...texts, ...(isForm(form) ? [] : form.map((problem) => located(problem, input, fields)))];
  },
  async execute({ inputs }) {
    const form = await readForm(inputs);
    if (!isForm(form)) return failure(form[0]!);
    return pause(questionOf(inputs, { prompt: inputs.prompt, schema: form.schema, metadata: { kind: "form", fields: form.order } }));
  },
  async resume({ response, pause: { schema, metadata } }) {
    if (!isRecord(response)) return invalid("The answer must be an object with the values of the fields.");
    const { hidden } = (await readySchema(schema)).check(response);
    return success(valuesOf(response as Values, schema, { order: metadata.fields as readonly string[], hidden, place: "" }));
  },
});

interface WrittenForm {
  readonly fields?: Value | undefined;
  readonly schema?: Value | undefined;
  readonly rules?: unknown;
}

function readForm({ fields, schema, rules }: WrittenForm): Promise<Form | readonly FormProblem[]> {
  if (fields === undefined) return formOfSchema(schema as JsonSchema);
  return formOfFields(fields as unknown as readonly FormPart[], rules as readonly FormRule[] | undefined);
}

/** Whether a condition refers to more than fields: what it refers to would become part of the condition. */
function seesMore(written: unknown, key = ""): boolean {
  if (typeof written === "string") return /^(?:show_?if|check)$/i.test(key) && /\$\{(?!fields\b)/.test(written);
  return isRecord(written) || Array.isArray(written) ? Object.entries(written).some(([name, part]) => seesMore(part, name)) : false;
}

/** A problem where it stands in the inputs. */
function located({ keys, ...problem }: FormProblem, input: string, fields: Value | undefined): InputProblem {
  if (!keys) return { input, ...problem };
  if (fields === undefined) return { input, keys, ...problem };
  const [first, ...rest] = keys;
  return first === "rules"
    ? { input: "rules", keys: rest, ...problem }
    : { input, keys: placeInFields(fields as unknown as FormPart[], keys), ...problem };
}

function isForm(read: Form | readonly FormProblem[]): read is Form {
  return !Array.isArray(read);
}

/** The answer with what it leaves out: every field has a value, also in groups and in the rows of lists, so that references to it work. */
function valuesOf(response: Values, { properties = {} }: JsonSchema, at: Completing): Values {
  const { order = Object.keys(properties), hidden, place } = at;
  // What was not asked has no default.
  const known = order.map((name): [string, Value] => [name, hidden.has(`${place}/${name}`) ? null : (properties[name]?.default ?? null)]);
  const given = Object.entries(response).map(([name, value]): [string, Value] => [
    name,
    Object.hasOwn(properties, name) ? valueOf(value, properties[name]!, { hidden, place: `${place}/${name}` }) : value,
  ]);
  return { ...Object.fromEntries(known), ...Object.fromEntries(given) };
}

interface Completing {
  /** Default: all of the schema. */
  readonly order?: readonly string[];
  /** What was not asked, by JSON Pointers. */
  readonly hidden: ReadonlySet<string>;
  /** A JSON Pointer: names of fields need no escapes. */
  readonly place: string;
}

function valueOf(value: Value, schema: JsonSchema, at: Completing): Value {
  const { items, properties, format } = schema;
  if (items && Array.isArray(value)) return value.map((item: Value, i) => valueOf(item, items, { ...at, place: `${at.place}/${i}` }));
  return properties && format !== "file" && isRecord(value) ? valuesOf(value as Values, schema, at) : value;
}
