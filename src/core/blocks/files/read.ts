import { encodeBase64 } from "../../model/base64.ts";
import { success, type BlockResult } from "../../ports/block.ts";
import type { FileContent, Files, ReadOptions } from "../../ports/files.ts";
import { attempt } from "./one-at-a-time.ts";
import { textOf } from "./content.ts";
import { isWorkflowError } from "../../model/errors.ts";
import { parseFilePath } from "../../model/file-path.ts";

const BYTES_PER_MB = 1_048_576;

/** The inputs of ReadFile. */
interface ReadFileInputs {
  readonly path: string;
  readonly mode: "text" | "binary";
  readonly max_size_mb: number;
  readonly required: boolean;
  readonly unsafe: boolean;
}

/** The outputs of ReadFile. */
interface ReadFileOutputs {
  readonly content: string;
  readonly size_bytes: number;
  readonly found: boolean;
  readonly path: string;
  readonly success: boolean;
}

/** Reads a file. */
export function readFile(
  files: Files,
  { path, mode, max_size_mb, required, unsafe }: ReadFileInputs,
): Promise<BlockResult<ReadFileOutputs>> {
  return attempt(async () => {
    const { file, path: shown } = await readIfThere(files, path, { required, unsafe, maxBytes: Math.floor(max_size_mb * BYTES_PER_MB) });
    return success({
      content: contentOf(file, mode),
      size_bytes: file?.bytes.length ?? 0,
      found: file !== undefined,
      path: shown,
      success: true,
    });
  });
}

function contentOf(file: FileContent | undefined, mode: ReadFileInputs["mode"]): string {
  if (file === undefined) return "";
  return mode === "binary" ? encodeBase64(file.bytes) : textOf(file);
}

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
