import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { CREATE_PARENTS, PATH, SHOWN_PATH } from "./files/schema-parts.ts";
import { mergeState } from "./files/state-file.ts";

/** Changes an object in a JSON file, below the root of the host's files. Blocks that change the same file at the same time take turns. */
export const mergeStateBlock: BlockType = defineBlock({
  type: "MergeState",
  description: "Changes parts of an object that is kept in a JSON file.",
  effect: "repeatable",
  needs: ["files"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: PATH,
        updates: {
          type: "object",
          description: "What changes: objects are merged at any depth, lists, `null` and all else replace what was there.",
        },
        create_if_missing: {
          type: "boolean",
          default: true,
          description: "Whether a missing file counts as an empty object. Otherwise it fails the block with `FILE_MISSING`.",
        },
        create_parents: CREATE_PARENTS,
      },
      required: ["path", "updates"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        merged_data: { type: "object", description: "All of the data, as it is now." },
        created: { type: "boolean", description: "Whether there was no such file before." },
        path: SHOWN_PATH,
      },
      required: ["merged_data", "created", "path"],
    },
  },
  async execute({ inputs, grants }) {
    return mergeState(grants.files!, inputs);
  },
});
