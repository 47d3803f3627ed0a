import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { ENCODINGS, textOf } from "./files/content.ts";
import { readIfThere } from "./files/read-write.ts";
import { filesIn, IN, needsFolder } from "./files/run-folder.ts";
import { PATH, SHOWN_PATH, UNSAFE } from "./files/schema-parts.ts";

const BYTES_PER_MB = 1_048_576;

/** Reads a file, below the root of the host's files. Seed 2, "ReadFile". */
export const readFileBlock: BlockType = defineBlock({
  type: "ReadFile",
  description: "Reads a file.",
  needs: needsFolder,
  channels: {},
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
          enum: ENCODINGS,
          default: "utf-8",
          description:
            "How the bytes become a text: UTF-8 (what is none fails the block with `FILE_ENCODING`), a character for each byte (`latin1`), or `base64`.",
        },
        in: IN,
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
  async execute(context) {
    const { inputs } = context;
    const { mode, encoding, max_size_mb, required, unsafe } = inputs;
    const options = { required, unsafe, maxBytes: Math.floor(max_size_mb * BYTES_PER_MB) };
    const { file, path } = await readIfThere(filesIn(inputs.in, context), inputs.path, options);
    if (!file) return success({ content: "", size_bytes: 0, found: false, path, success: true });
    const content = textOf(file, mode === "binary" ? "base64" : encoding);
    return success({ content, size_bytes: file.bytes.length, found: true, path, success: true });
  },
});
