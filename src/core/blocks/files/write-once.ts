import { isWorkflowError } from "../../model/errors.ts";
import type { Files, WriteOptions, WrittenFile } from "../../ports/files.ts";
import { inTurn } from "./one-at-a-time.ts";

/** A file that a block writes. */
interface Write {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions;
  /** Whether an earlier execution of the step may have written it and died before that was recorded. */
  readonly mayHaveRun: boolean;
}

/** Writes a file. With `mayHaveRun`, a file that is there already and has the same content is the work of this step. */
export function writeOnce(files: Files, { path, bytes, options, mayHaveRun }: Write): Promise<WrittenFile> {
  return inTurn(files, path, async () => {
    try {
      return await files.write(path, bytes, options);
    } catch (thrown) {
      if (!mayHaveRun || !isWorkflowError(thrown) || thrown.code !== "FILE_EXISTS") throw thrown;
      const found = await files.read(path, { unsafe: options.unsafe ?? false });
      if (!isSame(found.bytes, bytes)) throw thrown;
      return { path: found.path, sizeBytes: bytes.length, created: true };
    }
  });
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
