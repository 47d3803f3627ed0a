import type { Values } from "../model/value.ts";
import { type BlockType, type InputProblem, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { bytesOf, ENCODINGS } from "./files/content.ts";
import { filesIn, IN, needsFolder } from "./files/run-folder.ts";
import { CREATE_PARENTS, PATH, SHOWN_PATH, UNSAFE } from "./files/schema-parts.ts";
import { writeOnce } from "./files/read-write.ts";
import { assertSound, wrongInput } from "./input-problems.ts";

/** Writes a file, below the root of the host's files. Seed 2, "CreateFile". */
export const createFileBlock: BlockType = defineBlock({
  type: "CreateFile",
  description: "Writes a file.",
  effect: "repeatable",
  needs: needsFolder,
  channels: {},
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: PATH,
        content: { type: "string", description: "What the file will hold." },
        encoding: {
          type: "string",
          enum: ENCODINGS,
          default: "utf-8",
          description: "`latin1`: each character is a byte (ISO 8859-1). `base64`: the content stands for bytes, written that way.",
        },
        in: IN,
        media_type: { type: "string", description: "The media type of a file of the run, `text/csv` for example." },
        permissions: {
          type: ["integer", "string", "null"],
          description:
            'Octal digits in quotation marks ("600"), or a number up to 0o777. Default: those of the file that is replaced, else "644". Not in browsers.',
        },
        mode: { type: ["integer", "string", "null"], description: "The same as `permissions`; not together with it." },
        overwrite: {
          type: "boolean",
          default: false,
          description: "Whether a file that is there already is replaced. Otherwise the block fails with `FILE_EXISTS`.",
        },
        create_parents: CREATE_PARENTS,
        unsafe: UNSAFE,
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        file_path: SHOWN_PATH,
        path: { type: "string", description: "The same as `file_path`." },
        size_bytes: { type: "integer", description: "Bytes of the file." },
        created: { type: "boolean", description: "Whether there was no such file before." },
        success: { type: "boolean", description: "`true`." },
      },
      required: ["file_path", "path", "size_bytes", "created", "success"],
    },
  },
  checkInputs: findProblems,
  async execute(context) {
    const { inputs, mayHaveRun } = context;
    assertSound(findProblems(inputs));
    const { path, content, encoding, overwrite, create_parents: makeFolders, unsafe } = inputs;
    const mode = parsePermissions(inputs.permissions ?? inputs.mode);
    const options = { overwrite, makeFolders, unsafe, ...(mode === undefined ? {} : { mode }) };
    const written = await writeOnce(filesIn(inputs.in, context, inputs.media_type), {
      path,
      bytes: bytesOf(content, encoding),
      options,
      mayHaveRun,
    });
    return success({ file_path: written.path, path: written.path, size_bytes: written.sizeBytes, created: written.created, success: true });
  },
});

function findProblems({ permissions = null, mode = null }: Values): InputProblem[] {
  const problems = Object.entries({ permissions, mode })
    .filter(([, written]) => written !== null && parsePermissions(written) === undefined)
    .map(([input, written]) =>
      wrongInput(
        input,
        `${JSON.stringify(written)} are no permissions. Write octal digits in quotation marks, "644" for example; "777" is the most.`,
      ),
    );
  const areBoth = permissions !== null && mode !== null;
  return areBoth ? [...problems, wrongInput("mode", "Both permissions and mode are given. Leave one of them out.")] : problems;
}

/** All that a workflow may ask for: no set-uid, set-gid or sticky bit. */
const MAX_PERMISSIONS = 0o777;

/** The permissions a number or a text of octal digits stands for; nothing for what stands for none. */
function parsePermissions(written: unknown): number | undefined {
  const value =
    typeof written === "string" && /^(?:0o?)?[0-7]{1,3}$/.test(written) ? Number.parseInt(written.replace("o", ""), 8) : written;
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_PERMISSIONS ? (value as number) : undefined;
}
