import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { SHOWN_PATH } from "./files/schema-parts.ts";
import { editFile } from "./files/edit.ts";

/** Replaces texts in a file, below the root of the host's files: all of the edits or none. */
export const editFileBlock: BlockType = defineBlock({
  type: "EditFile",
  description: "Replaces texts in a file, all of them or none.",
  effect: "repeatable",
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
              find: {
                type: "string",
                minLength: 1,
                description: "The text to replace, exactly as it stands in the file, and there only once. No pattern.",
              },
              replace: { type: "string", description: "What takes its place." },
              all: { type: "boolean", description: "Replaces the text in every place; there must be one at least. Default: `false`." },
            },
            required: ["find", "replace"],
            additionalProperties: false,
          },
          description: "What to replace, in this order; each sees what the ones before it left. One that does not fit fails the block.",
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
        file_path: SHOWN_PATH,
        replacements: { type: "integer", description: "In how many places a text was replaced." },
        changed: { type: "boolean", description: "Whether the file holds something else than before." },
        size_bytes: { type: "integer", description: "Bytes of the file, as it is now." },
      },
      required: ["file_path", "replacements", "changed", "size_bytes"],
    },
  },
  async execute({ inputs, grants }) {
    return editFile(grants.files!, inputs);
  },
});
