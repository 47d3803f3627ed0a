import { WorkflowError } from "../model/errors.ts";
import { showPath } from "../model/file-path.ts";
import { indexOfText, splitText } from "../model/find-text.ts";
import { MAX_FILE_BYTES } from "../model/limits.ts";
import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { bytesOf, textOf } from "./files/content.ts";
import { filesIn, IN, needsFolder } from "./files/run-folder.ts";
import { inTurn } from "./files/read-write.ts";
import { SHOWN_PATH } from "./files/schema-parts.ts";

/** Characters that all edits together look through: 50 edits of the largest file, thousands of a small one. */
const MAX_WORK = 50 * MAX_FILE_BYTES;
/** One replacement takes as long as looking through about this many characters. */
const REPLACEMENT_WORK = 20;

/** Replaces texts in a file, below the root of the host's files: all of the edits or none. */
export const editFileBlock: BlockType = defineBlock({
  type: "EditFile",
  description: "Replaces texts in a file, all of them or none.",
  effect: "repeatable",
  needs: needsFolder,
  channels: {},
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
        in: IN,
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
  async execute(context) {
    const { path, edits, in: place } = context.inputs;
    const files = filesIn(place, context);
    return inTurn(files, path, async () => {
      const file = await files.read(path);
      const before = textOf(file);
      const { text, replacements } = applyEdits(before, edits, file.path);
      const changed = text !== before;
      const sizeBytes = changed ? (await files.write(path, bytesOf(text, "utf-8"), { overwrite: true })).sizeBytes : file.bytes.length;
      return success({ file_path: file.path, replacements, changed, size_bytes: sizeBytes });
    });
  },
});

interface Edit {
  readonly find: string;
  readonly replace: string;
  readonly all?: boolean;
}

function applyEdits(before: string, edits: readonly Edit[], path: string): { readonly text: string; readonly replacements: number } {
  let text = before;
  let replacements = 0;
  let work = 0;
  for (const [number, { find, replace, all = false }] of edits.entries()) {
    if (work > MAX_WORK)
      throw tooLarge(`${edits.length} edits are too many for a file as long as ${showPath(path)}. Split them among blocks.`, MAX_WORK);
    const count = all ? countAll(text, find) : countTwo(text, find);
    if (count === 0 || (count > 1 && !all)) throw notFound({ number, path, count });
    if (text.length + count * (replace.length - find.length) > MAX_FILE_BYTES) {
      throw tooLarge(`Edit ${number + 1} would make ${showPath(path)} longer than ${MAX_FILE_BYTES} bytes. Replace less.`, MAX_FILE_BYTES);
    }
    work += text.length + count * REPLACEMENT_WORK;
    text = splitText(text, find).join(replace);
    replacements += count;
  }
  return { text, replacements };
}

/** Places side by side, as replacing counts them. */
function countAll(text: string, find: string): number {
  let count = 0;
  for (let at = indexOfText(text, find); at !== -1; at = indexOfText(text, find, at + find.length)) count++;
  return count;
}

/** None, one, or two for more: overlapping places are several too, since either could be meant. */
function countTwo(text: string, find: string): number {
  const first = indexOfText(text, find);
  if (first === -1) return 0;
  return indexOfText(text, find, first + 1) >= 0 ? 2 : 1;
}

function notFound({ number, path, count }: { readonly number: number; readonly path: string; readonly count: number }): WorkflowError {
  const problem =
    count === 0
      ? `was not found in ${showPath(path)}. Write it exactly as it stands there`
      : `stands in ${showPath(path)} more than once. Write more of what is around it, or set all: true`;
  return new WorkflowError("BLOCK_FAILED", `The text of edit ${number + 1} ${problem}. Nothing was changed.`, {
    details: { edit: number },
  });
}

function tooLarge(message: string, limit: number): WorkflowError {
  return new WorkflowError("LIMIT_EXCEEDED", message, { details: { limit } });
}
