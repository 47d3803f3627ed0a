import type { JsonSchema, Value, Values, Workflow } from "wavepoint";
import { answerOf, fieldsOf, type Entries, type FormField } from "./form-fields.ts";

/** The inputs of a workflow as fields of a form; a preset takes the place of a default. */
export function startFields(workflow: Workflow, presets: Values = {}): readonly FormField[] {
  const inputs = Object.entries(workflow.inputs ?? {});
  const properties = inputs.map(([name, { type, description, enum: choices, default: preset, secret }]): [string, JsonSchema] => {
    const first: Value | undefined = presets[name] ?? preset;
    return [
      name,
      {
        type,
        ...(description === undefined ? {} : { description }),
        ...(choices === undefined ? {} : { enum: choices }),
        ...(first === undefined ? {} : { default: first }),
        ...(secret === true ? { format: "password" } : {}),
      },
    ];
  });
  const required = inputs.filter(([, { required, default: preset }]) => required ?? preset === undefined).map(([name]) => name);
  const schema: JsonSchema = { type: "object", properties: Object.fromEntries(properties), required };
  return fieldsOf({ schema, metadata: { fields: inputs.map(([name]) => name) } });
}

/** The inputs that the entries mean. An empty text counts as not given where an input has to be. */
export function startInputs(fields: readonly FormField[], entries: Entries): Values {
  const isMissing = (name: string, value: Value): boolean =>
    value === "" && fields.some((field) => field.name === name && field.required && field.schema.default === undefined);
  return Object.fromEntries(Object.entries(answerOf(fields, entries)).filter(([name, value]) => !isMissing(name, value)));
}
