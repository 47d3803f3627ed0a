import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { parseDocument } from "./files/document.ts";
import { readIfThere } from "./files/read-write.ts";
import { PATH, SHOWN_PATH } from "./files/schema-parts.ts";

/** Gives the object that a JSON file holds, below the root of the host's files. */
export const readStateBlock: BlockType = defineBlock({
  type: "ReadState",
  description: "Reads an object that is kept in a JSON file.",
  needs: ["files"],
  channels: {},
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: PATH,
        required: {
          type: "boolean",
          default: false,
          description: "Whether a missing file fails the block with `FILE_MISSING`. Otherwise the object is empty.",
        },
      },
      required: ["path"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        data: { type: "object", description: "The object." },
        found: { type: "boolean", description: "Whether the file is there." },
        path: SHOWN_PATH,
      },
      required: ["data", "found", "path"],
    },
  },
  async execute({ inputs, grants }) {
    const { file, path } = await readIfThere(grants.files!, inputs.path, { required: inputs.required });
    return success({ data: file ? parseDocument(file) : {}, found: file !== undefined, path });
  },
});
