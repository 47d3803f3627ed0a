import { errorData } from "../model/errors.ts";
import { failure, success } from "../ports/block.ts";
import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import type { renderTemplate as RenderTemplate } from "./render-template.ts";
import { TEMPLATE_INPUTS } from "./template-inputs.ts";

async function loadTemplates(): Promise<{ readonly renderTemplate: typeof RenderTemplate }> {
  return import("./render-template.ts");
}

/** Renders a Jinja template. Seed 2, "PopulateTemplate". */
export const populateTemplateBlock: BlockType = defineBlock({
  type: "PopulateTemplate",
  description: "Renders a Jinja template.",
  pure: true,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        ...TEMPLATE_INPUTS,
      },
      required: ["template"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        rendered: { type: "string", description: "The text that came of it." },
        success: { type: "boolean", description: "`true`." },
      },
      required: ["rendered", "success"],
    },
  },
  load: loadTemplates,
  async execute({ inputs: { template, variables, strict } }) {
    const { renderTemplate } = await loadTemplates();
    try {
      return success({ rendered: renderTemplate(template, variables, { strict }), success: true });
    } catch (thrown) {
      return failure(errorData(thrown, "TEMPLATE_INVALID"));
    }
  },
});
