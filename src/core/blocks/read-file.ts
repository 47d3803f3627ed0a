import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { PATH, SHOWN_PATH, UNSAFE } from "./files/schema-parts.ts";
import { readFile } from "./files/read.ts";

/** Reads a file, below the root of the host's files. Seed 2, "ReadFile". */
export const readFileBlock: BlockType = defineBlock({
  type: "ReadFile",
  description: "Reads a file.",
  needs: ["files"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: PATH,
        mode: {
          type: "string",
          enum: ["text", "binary"],
          default: "text",
          description: "`binary`: the content is always given as base64.",
        },
        encoding: {
          type: "string",
          enum: ["utf-8"],
          default: "utf-8",
          description: "The encoding of a text. What is none fails the block with `FILE_ENCODING`.",
        },
        max_size_mb: {
          type: "number",
          minimum: 0,
          maximum: 10,
          default: 10,
          description: "Megabytes (1,048,576 bytes) it may have. A larger file fails the block with `FILE_REFUSED`.",
        },
        required: {
          type: "boolean",
          default: true,
          description: "Whether a missing file fails the block with `FILE_MISSING`. Otherwise the content is empty.",
        },
        unsafe: UNSAFE,
      },
      required: ["path"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        content: { type: "string", description: "The text, or the base64 of the bytes." },
        size_bytes: { type: "integer", description: "Bytes of the file; 0 where there is none." },
        found: { type: "boolean", description: "Whether the file is there." },
        path: SHOWN_PATH,
        success: { type: "boolean", description: "`true`." },
      },
      required: ["content", "size_bytes", "found", "path", "success"],
    },
  },
  async execute({ inputs, grants }) {
    return readFile(grants.files!, inputs);
  },
});
