import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { bytesOf } from "./files/content.ts";
import { CREATE_PARENTS } from "./files/schema-parts.ts";
import { writeOnce } from "./files/read-write.ts";
import { checkTemplateInput, loadTemplates, TEMPLATE_INPUTS, typedValue, VALUE_OUTPUT } from "./template/inputs.ts";

/** Renders a Jinja template, and writes what comes of it to a file where a path is given. */
export const renderTemplateBlock: BlockType = defineBlock({
  type: "RenderTemplate",
  description: "Renders a Jinja template, and writes what comes of it to a file if asked to.",
  effect: "repeatable",
  needs: ["files"],
  channels: {},
  templateInputs: ["template"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        ...TEMPLATE_INPUTS,
        output_path: {
          type: ["string", "null"],
          minLength: 1,
          default: null,
          description: "Where to write it, relative to the root of the host's files. With `null` nothing is written.",
        },
        encoding: { type: "string", enum: ["utf-8"], default: "utf-8", description: "The encoding of the file." },
        overwrite: {
          type: "boolean",
          default: true,
          description: "Whether a file that is there already is replaced. Otherwise the block fails with `FILE_EXISTS`.",
        },
        create_parents: CREATE_PARENTS,
      },
      required: ["template"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        content: { type: "string", description: "The text that came of it." },
        ...VALUE_OUTPUT,
        output_path: {
          type: ["string", "null"],
          description: "The path, without parts that mean nothing in it, such as `./`; `null` where nothing was written.",
        },
        size_bytes: { type: ["integer", "null"], description: "Bytes of the file; `null` where none was written." },
      },
      required: ["content", "output_path", "size_bytes"],
    },
  },
  load: loadTemplates,
  checkInputs: checkTemplateInput,
  async execute({ inputs, grants, mayHaveRun }) {
    const { template, variables, strict, type, output_path: path, overwrite, create_parents: makeFolders } = inputs;
    const { renderTemplate } = await loadTemplates();
    const content = renderTemplate(template, variables, { strict });
    const typed = typedValue(content, type);
    if (path === null) return success({ content, ...typed, output_path: null, size_bytes: null });
    const bytes = bytesOf(content, "utf-8");
    const written = await writeOnce(grants.files!, { path, bytes, options: { overwrite, makeFolders }, mayHaveRun });
    return success({ content, ...typed, output_path: written.path, size_bytes: written.sizeBytes });
  },
});
