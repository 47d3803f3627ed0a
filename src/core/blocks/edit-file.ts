import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";

const load = async () => import("./files/edit.ts");

/** Replaces texts in a file, below the root of the host's files: all of the edits or none. */
export const editFileBlock: BlockType = defineBlock({
  type: "EditFile",
  description: "Replaces texts in a file.",
  needs: ["files"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Relative to the root of the host's files. The file must be a text in UTF-8." },
        edits: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: {
              find: { type: "string", minLength: 1, description: "Exactly as it stands in the file, once." },
              replace: { type: "string" },
              all: { type: "boolean", description: "Replaces the text wherever it stands, at least once. Default: false." },
            },
            required: ["find", "replace"],
            additionalProperties: false,
          },
          description: "In this order; each sees what the ones before it left.",
        },
      },
      required: ["path", "edits"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        file_path: { type: "string", description: "The path, without what means nothing in it." },
        replacements: { type: "integer", description: "How many texts were replaced." },
        changed: { type: "boolean", description: "Whether the file is another one than before." },
        size_bytes: { type: "integer" },
      },
      required: ["file_path", "replacements", "changed", "size_bytes"],
    },
  },
  load,
  async execute({ inputs, grants }) {
    const { editFile } = await load();
    return editFile(grants.files!, inputs);
  },
});
