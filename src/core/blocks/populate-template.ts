import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { checkTemplateInput, loadTemplates, TEMPLATE_INPUTS, typedValue, VALUE_OUTPUT } from "./template/inputs.ts";

/** Renders a Jinja template. Seed 2, "PopulateTemplate". */
export const populateTemplateBlock: BlockType = defineBlock({
  type: "PopulateTemplate",
  description: "Renders a Jinja template.",
  pure: true,
  templateInputs: ["template"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: TEMPLATE_INPUTS,
      required: ["template"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        rendered: { type: "string", description: "The text that came of it." },
        ...VALUE_OUTPUT,
        success: { type: "boolean", description: "`true`." },
      },
      required: ["rendered", "success"],
    },
  },
  load: loadTemplates,
  checkInputs: checkTemplateInput,
  async execute({ inputs: { template, variables, strict, type } }) {
    const { renderTemplate } = await loadTemplates();
    const rendered = renderTemplate(template, variables, { strict });
    return success({ rendered, ...typedValue(rendered, type), success: true });
  },
});
