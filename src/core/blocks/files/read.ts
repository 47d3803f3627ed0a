import { encodeBase64 } from "../../model/base64.ts";
import { success } from "../../ports/block.ts";
import type { BlockResult } from "../../ports/block.ts";
import type { FileContent, Files } from "../../ports/files.ts";
import { attempt } from "./attempt.ts";
import { textOf } from "./content.ts";
import { readIfThere } from "./read-if-there.ts";

const BYTES_PER_MB = 1_048_576;

/** The inputs of ReadFile. */
export interface ReadFileInputs {
  readonly path: string;
  readonly mode: "text" | "binary";
  readonly max_size_mb: number;
  readonly required: boolean;
  readonly unsafe: boolean;
}

/** The outputs of ReadFile. */
export interface ReadFileOutputs {
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
