import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { writeDocument } from "./files/document.ts";
import { inTurn } from "./files/read-write.ts";
import { CREATE_PARENTS, PATH, SHOWN_PATH } from "./files/schema-parts.ts";

/** Keeps an object as a JSON file, below the root of the host's files. */
export const setStateBlock: BlockType = defineBlock({
  type: "SetState",
  description: "Keeps an object in a JSON file.",
  effect: "repeatable",
  needs: ["files"],
  channels: {},
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: PATH,
        data: { type: "object", description: "The object: plain JSON. It takes the place of everything that was in the file." },
        create_parents: CREATE_PARENTS,
      },
      required: ["path", "data"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: SHOWN_PATH,
        size_bytes: { type: "integer", description: "Bytes of the file." },
      },
      required: ["path", "size_bytes"],
    },
  },
  async execute({ inputs: { path, data, create_parents: makeFolders }, grants }) {
    const files = grants.files!;
    const written = await inTurn(files, path, () => writeDocument(files, path, { data, makeFolders }));
    return success({ path: written.path, size_bytes: written.sizeBytes });
  },
});
