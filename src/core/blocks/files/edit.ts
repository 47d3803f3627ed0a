import { WorkflowError } from "../../model/errors.ts";
import { showPath } from "../../model/file-path.ts";
import { indexOfText, splitText } from "../../model/find-text.ts";
import { MAX_FILE_BYTES } from "../../model/limits.ts";
import { type BlockResult, success } from "../../ports/block.ts";
import type { Files } from "../../ports/files.ts";
import { attempt, inTurn } from "./one-at-a-time.ts";
import { bytesOf, textOf } from "./content.ts";

/** Characters that all edits together look through: 50 edits of the largest file, thousands of a small one. */
const MAX_WORK = 50 * MAX_FILE_BYTES;
/** One replacement takes as long as looking through about this many characters. */
const REPLACEMENT_WORK = 20;

/** One replacement. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
  readonly all?: boolean;
}

/** The outputs of EditFile. */
export interface EditFileOutputs {
  readonly file_path: string;
  readonly replacements: number;
  readonly changed: boolean;
  readonly size_bytes: number;
}

/** Replaces texts in a file. What an edit does not find fails all of them, and the file stays as it was. */
export function editFile(
  files: Files,
  { path, edits }: { readonly path: string; readonly edits: readonly Edit[] },
): Promise<BlockResult<EditFileOutputs>> {
  return attempt(() =>
    inTurn(files, path, async () => {
      const file = await files.read(path);
      const before = textOf(file);
      let text = before;
      let replacements = 0;
      let work = 0;
      edits.forEach((edit, number) => {
        if (work > MAX_WORK) throw tooManyEdits(file.path, edits.length);
        const done = applyEdit(text, edit, { number, path: file.path });
        work += text.length + done.count * REPLACEMENT_WORK;
        text = done.text;
        replacements += done.count;
      });
      const changed = text !== before;
      const sizeBytes = changed ? (await files.write(path, bytesOf(text, "utf-8"), { overwrite: true })).sizeBytes : file.bytes.length;
      return success({ file_path: file.path, replacements, changed, size_bytes: sizeBytes });
    }),
  );
}

function tooManyEdits(path: string, count: number): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `${count} edits are too many for a file as long as ${showPath(path)}. Split them among blocks.`,
    {
      details: { limit: MAX_WORK },
    },
  );
}

function applyEdit(
  text: string,
  { find, replace, all = false }: Edit,
  { number, path }: { readonly number: number; readonly path: string },
): { readonly text: string; readonly count: number } {
  const count = all ? countAll(text, find) : countTwo(text, find);
  if (count === 0 || (count > 1 && !all)) throw notFound({ number, path, count });
  const length = text.length + count * (replace.length - find.length);
  if (length > MAX_FILE_BYTES) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `Edit ${number + 1} would make ${showPath(path)} longer than ${MAX_FILE_BYTES} bytes. Replace less.`,
      {
        details: { edit: number, limit: MAX_FILE_BYTES },
      },
    );
  }
  return { text: splitText(text, find).join(replace), count };
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
