import { decodeBase64 } from "../../model/base64.ts";
import { WorkflowError } from "../../model/errors.ts";
import { showPath } from "../../model/file-path.ts";
import { decodeUtf8, encodeUtf8 } from "../../model/utf8.ts";
import type { FileContent } from "../../ports/files.ts";

/** How a text input stands for the bytes of a file. */
export type ContentEncoding = "utf-8" | "base64";

/** The bytes that a text stands for. Throws `FILE_ENCODING`. */
export function bytesOf(content: string, encoding: ContentEncoding): Uint8Array {
  const bytes = encoding === "base64" ? decodeBase64(content) : encodeUtf8(content);
  if (bytes !== undefined) return bytes;
  const reason = encoding === "base64" ? "is no base64" : "holds half a character, which UTF-8 cannot express";
  throw new WorkflowError("FILE_ENCODING", `The content ${reason}. Correct it, or name its encoding.`);
}

/** The text of a file. Throws `FILE_ENCODING` instead of putting something in the place of what is no UTF-8. */
export function textOf({ path, bytes }: FileContent): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new WorkflowError("FILE_ENCODING", `${showPath(path)} is no text in UTF-8. Read it with mode: binary.`);
}
