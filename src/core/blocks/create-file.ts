import type { Values } from "../model/value.ts";
import { type BlockType, type InputProblem, failure } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { parsePermissions, CREATE_PARENTS, PATH, SHOWN_PATH, UNSAFE } from "./files/schema-parts.ts";
import { createFile } from "./files/create.ts";

/** Writes a file, below the root of the host's files. Seed 2, "CreateFile". */
export const createFileBlock: BlockType = defineBlock({
  type: "CreateFile",
  description: "Writes a file.",
  effect: "repeatable",
  needs: ["files"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: PATH,
        content: { type: "string", description: "What the file will hold." },
        encoding: {
          type: "string",
          enum: ["utf-8", "base64"],
          default: "utf-8",
          description: "`base64`: the content stands for bytes, written that way.",
        },
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
  async execute({ inputs, grants, mayHaveRun }) {
    const [problem] = findProblems(inputs);
    if (problem) return failure({ code: problem.code, message: problem.message });
    return createFile(grants.files!, { ...inputs, mode: parsePermissions(inputs.permissions ?? inputs.mode) }, mayHaveRun);
  },
});

function findProblems({ permissions = null, mode = null }: Values): InputProblem[] {
  const problems: InputProblem[] = [];
  const report = (input: string, message: string): void => void problems.push({ input, code: "BLOCK_INPUT_INVALID", message });
  for (const [input, written] of Object.entries({ permissions, mode })) {
    if (written === null || parsePermissions(written) !== undefined) continue;
    report(
      input,
      `${JSON.stringify(written)} are no permissions. Write octal digits in quotation marks, "644" for example; "777" is the most.`,
    );
  }
  if (permissions !== null && mode !== null) report("mode", "Both permissions and mode are given. Leave one of them out.");
  return problems;
}
