import { isWorkflowError } from "../../model/errors.ts";
import { type BlockResult, success } from "../../ports/block.ts";
import type { Files, WriteOptions, WrittenFile } from "../../ports/files.ts";
import { attempt, inTurn } from "./one-at-a-time.ts";
import { bytesOf, type ContentEncoding } from "./content.ts";

/** The inputs of CreateFile. */
export interface CreateFileInputs {
  readonly path: string;
  readonly content: string;
  readonly encoding: ContentEncoding;
  readonly mode: number | undefined;
  readonly overwrite: boolean;
  readonly create_parents: boolean;
  readonly unsafe: boolean;
}

/** The outputs of CreateFile. */
export interface CreateFileOutputs {
  readonly file_path: string;
  readonly path: string;
  readonly size_bytes: number;
  readonly created: boolean;
  readonly success: boolean;
}

/** Writes a file. With `mayHaveRun` a file that is there already and has the same content is the work of this step. */
export function createFile(files: Files, inputs: CreateFileInputs, mayHaveRun: boolean): Promise<BlockResult<CreateFileOutputs>> {
  const { path, content, encoding, mode, overwrite, create_parents: makeFolders, unsafe } = inputs;
  return attempt(async () => {
    const bytes = bytesOf(content, encoding);
    const options = { overwrite, makeFolders, unsafe, ...(mode === undefined ? {} : { mode }) };
    const written = await inTurn(files, path, () => write(files, { path, bytes, options, mayHaveRun }));
    return success({ file_path: written.path, path: written.path, size_bytes: written.sizeBytes, created: written.created, success: true });
  });
}

interface Write {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions & { readonly unsafe: boolean };
  readonly mayHaveRun: boolean;
}

async function write(files: Files, { path, bytes, options, mayHaveRun }: Write): Promise<WrittenFile> {
  try {
    return await files.write(path, bytes, options);
  } catch (thrown) {
    // An earlier execution may have written the file and died before that was recorded: then what it wrote is there, and the work is done.
    if (!mayHaveRun || !isWorkflowError(thrown) || thrown.code !== "FILE_EXISTS") throw thrown;
    const found = await files.read(path, { unsafe: options.unsafe });
    if (!isSame(found.bytes, bytes)) throw thrown;
    return { path: found.path, sizeBytes: bytes.length, created: true };
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
