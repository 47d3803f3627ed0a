import { checkJson } from "../model/json-schema.ts";
import type { JsonSchema } from "../model/run.ts";
import type { Value, Values } from "../model/value.ts";
import { isRecord } from "../model/value.ts";
import { failure, invalid, pause, success } from "../ports/block.ts";
import type { AnswerProblem, BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { FIELDS_SCHEMA, type FormField } from "./form-fields.ts";
import { findFormatProblems } from "./form-format.ts";
import { formOfFields, formOfSchema, type Form, type FormProblem } from "./form-schema.ts";

/** Asks for several values at once. The answer is an object; its values are the outputs, each under the name of its field. */
export const formBlock: BlockType = defineBlock({
  type: "Form",
  description: "Asks for several values at once.",
  pure: true,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        prompt: { type: "string", minLength: 1, description: "What the form is about, as people read it." },
        title: { type: "string", minLength: 1, description: "A heading for the page that shows the form." },
        fields: FIELDS_SCHEMA,
        schema: { type: "object", description: "The answer as a JSON Schema of the type `object`, in place of `fields`." },
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
  async execute({ inputs: { prompt, title, fields, schema } }) {
    const form = await readForm(fields, schema);
    if (!isForm(form)) return failure(form[0]!);
    return pause({
      prompt,
      schema: form.schema,
      metadata: { kind: "form", fields: form.order, ...(title === undefined ? {} : { title }) },
    });
  },
  checkAnswer({ response, pause: { schema } }) {
    return problemWith(response, schema);
  },
  resume({ response, pause: { schema, metadata } }) {
    const problem = problemWith(response, schema);
    if (!isRecord(response) || problem) return invalid(problem!.message, problem!.details);
    return success(valuesOf(response as Values, schema, metadata.fields as readonly string[]));
  },
});

function readForm(fields: Value | undefined, schema: Value | undefined): Promise<Form | readonly FormProblem[]> {
  return fields === undefined ? formOfSchema(schema as JsonSchema) : formOfFields(fields as unknown as readonly FormField[]);
}

function isForm(read: Form | readonly FormProblem[]): read is Form {
  return !Array.isArray(read);
}

function problemWith(response: unknown, schema: JsonSchema): AnswerProblem | undefined {
  if (!isRecord(response)) return { message: "The answer must be an object with the values of the fields." };
  const problems = findFormatProblems(schema, response);
  if (problems.length === 0) return undefined;
  return {
    message: `The answer does not fit the form. ${problems.map(({ path, message }) => `${path}: ${message}`).join(" ")}`,
    details: { fields: Object.fromEntries(problems.map(({ path, message }) => [path, message])) },
  };
}

/** The answer with what it leaves out: every field has a value, so that references to it work. */
function valuesOf(response: Values, { properties = {} }: JsonSchema, order: readonly string[]): Values {
  const known = order.map((name): [string, Value] => [
    name,
    Object.hasOwn(response, name) ? response[name]! : (properties[name]?.default ?? null),
  ]);
  return { ...Object.fromEntries(known), ...response };
}
