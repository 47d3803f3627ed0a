import { checkJson } from "../model/check-json.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { Value, Values } from "../model/value.ts";
import { isRecord } from "../model/value.ts";
import { failure, invalid, pause, success } from "../ports/block.ts";
import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { FIELDS_SCHEMA, type FormField } from "./form-fields.ts";
import { aboutQuestion, QUESTION_INPUTS } from "./question-inputs.ts";
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
        prompt: { type: "string", minLength: 1, description: "What the form is about, as people read it." },
        fields: FIELDS_SCHEMA,
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
  async checkInputs({ fields, schema }, written) {
    const given = ["fields", "schema"].filter((name) => written[name] !== undefined);
    const [input] = given;
    if (input === undefined || given.length > 1) {
      return [{ input: "fields", code: "BLOCK_INPUT_INVALID", message: 'A form has either "fields" or a "schema".' }];
    }
    // One with references is only known later; one of the wrong shape is reported by the block's schema.
    if (fields === undefined ? schema === undefined : checkJson(FIELDS_SCHEMA, fields).length > 0) return [];
    const form = await readForm(fields, schema);
    return isForm(form) ? [] : form.map((problem) => ({ input, ...problem }));
  },
  async execute({ inputs }) {
    const { prompt, title, fields, schema } = inputs;
    const form = await readForm(fields, schema);
    if (!isForm(form)) return failure(form[0]!);
    return pause({
      ...aboutQuestion(inputs),
      prompt,
      schema: form.schema,
      metadata: { kind: "form", fields: form.order, ...(title === undefined ? {} : { title }) },
    });
  },
  resume({ response, pause: { schema, metadata } }) {
    if (!isRecord(response)) return invalid("The answer must be an object with the values of the fields.");
    return success(valuesOf(response as Values, schema, metadata.fields as readonly string[]));
  },
});

function readForm(fields: Value | undefined, schema: Value | undefined): Promise<Form | readonly FormProblem[]> {
  return fields === undefined ? formOfSchema(schema as JsonSchema) : formOfFields(fields as unknown as readonly FormField[]);
}

function isForm(read: Form | readonly FormProblem[]): read is Form {
  return !Array.isArray(read);
}

/** The answer with what it leaves out: every field has a value, so that references to it work. */
function valuesOf(response: Values, { properties = {} }: JsonSchema, order: readonly string[]): Values {
  const known = order.map((name): [string, Value] => [
    name,
    Object.hasOwn(response, name) ? response[name]! : (properties[name]?.default ?? null),
  ]);
  return { ...Object.fromEntries(known), ...response };
}
