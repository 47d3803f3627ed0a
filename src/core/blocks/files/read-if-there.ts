import { isWorkflowError } from "../../model/errors.ts";
import { parseFilePath } from "../../model/file-path.ts";
import type { FileContent, Files, ReadOptions } from "../../ports/files.ts";

/** What was found, or not, at a path. */
interface Found {
  readonly file: FileContent | undefined;
  /** The path as outputs show it. */
  readonly path: string;
}

/** Reads a file; a missing one is `FILE_MISSING` only where it is required. */
export async function readIfThere(files: Files, path: string, options: ReadOptions & { readonly required: boolean }): Promise<Found> {
  const { required, ...reading } = options;
  try {
    const file = await files.read(path, reading);
    return { file, path: file.path };
  } catch (thrown) {
    if (required || !isWorkflowError(thrown) || thrown.code !== "FILE_MISSING") throw thrown;
    return { file: undefined, path: parseFilePath(path, { absolute: true }).text };
  }
}
