import { isRecord, type Value, type Values } from "../model/value.ts";
import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { parseDocument, writeDocument } from "./files/document.ts";
import { inTurn, readIfThere } from "./files/read-write.ts";
import { CREATE_PARENTS, PATH, SHOWN_PATH } from "./files/schema-parts.ts";

/** Changes an object in a JSON file, below the root of the host's files. Blocks that change the same file at the same time take turns. */
export const mergeStateBlock: BlockType = defineBlock({
  type: "MergeState",
  description: "Changes parts of an object that is kept in a JSON file.",
  effect: "repeatable",
  needs: ["files"],
  channels: {},
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
  async execute({ inputs: { path, updates, create_if_missing: create, create_parents: makeFolders }, grants }) {
    const files = grants.files!;
    return inTurn(files, path, async () => {
      const { file } = await readIfThere(files, path, { required: !create });
      const data = mergeValues(file ? parseDocument(file) : {}, updates);
      const written = await writeDocument(files, path, { data, makeFolders });
      return success({ merged_data: data, created: file === undefined, path: written.path });
    });
  },
});

/** One object laid over another: members that are objects in both are merged, everything else is replaced, lists and null included. */
function mergeValues(under: Values, over: Values): Values {
  const merged = new Map<string, Value>(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const old = merged.get(key);
    merged.set(key, isObject(old) && isObject(value) ? mergeValues(old, value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: Value | undefined): value is Values {
  return isRecord(value);
}
