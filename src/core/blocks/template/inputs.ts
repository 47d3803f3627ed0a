import { convertOutput } from "../../expression/convert-output.ts";
import { parseTemplate } from "../../expression/parse-template.ts";
import { isWorkflowError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { ValueType } from "../../model/workflow.ts";
import type { InputProblem } from "../../ports/block.ts";
import type * as RenderTemplate from "./render.ts";

/** Loads what renders templates: seldom used, and large. */
export async function loadTemplates(): Promise<typeof RenderTemplate> {
  return import("./render.ts");
}

/** What a block that renders a template takes. */
export const TEMPLATE_INPUTS = {
  template: {
    type: "string",
    description: "The template. References (`${…}`) in it are put in place first: take values from `variables` instead.",
  },
  variables: { type: "object", default: {}, description: "What the template sees, by name." },
  strict: {
    type: "boolean",
    default: false,
    description: "Whether a name that is not defined fails the block. Otherwise it prints nothing.",
  },
  type: {
    type: ["string", "null"],
    enum: ["string", "integer", "number", "boolean", "array", "object", null],
    default: null,
    description:
      "What the output `value` is converted to, as for outputs of the workflow: lists and objects from JSON (`tojson`). With `null` there is none.",
  },
} as const;

/** The output `value`, where it is asked for. */
export const VALUE_OUTPUT = { value: { description: "What was rendered, as a value of the `type`; only with one." } } as const;

/** The output `value` of a text that was rendered; nothing where no type is asked for. Throws `OUTPUT_INVALID`. */
export function typedValue(rendered: string, type: ValueType | null): { readonly value?: Value } {
  return type === null ? {} : { value: convertOutput(rendered, type, "value") };
}

/** What a template as its author wrote it uses that is not there. What references put in place is looked at when it is rendered. */
export async function checkTemplateInput(
  _literals: unknown,
  { template }: { readonly template?: Value | undefined },
): Promise<InputProblem[]> {
  const { checkTemplate } = await loadTemplates();
  if (typeof template !== "string") return [];
  try {
    checkTemplate(parseTemplate(template).parts);
    return [];
  } catch (thrown) {
    // Other mistakes are found when it is rendered.
    return isWorkflowError(thrown) ? [{ input: "template", code: thrown.code, message: thrown.message }] : [];
  }
}
