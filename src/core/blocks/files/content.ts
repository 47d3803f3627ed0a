import { decodeBase64, encodeBase64 } from "../../model/base64.ts";
import { WorkflowError } from "../../model/errors.ts";
import { showPath } from "../../model/file-path.ts";
import { decodeUtf8, encodeUtf8 } from "../../model/utf8.ts";
import type { FileContent } from "../../ports/files.ts";

/** How a text stands for the bytes of a file. */
export const ENCODINGS = ["utf-8", "latin1", "base64"] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** Code units handed to `fromCharCode` at once: engines bound the number of arguments. */
const CHUNK = 8_192;

/** The bytes that a text stands for. Throws `FILE_ENCODING`. */
export function bytesOf(content: string, encoding: ContentEncoding): Uint8Array {
  const bytes = encoding === "base64" ? decodeBase64(content) : encoding === "latin1" ? encodeLatin1(content) : encodeUtf8(content);
  if (bytes !== undefined) return bytes;
  throw new WorkflowError("FILE_ENCODING", `The content ${NOT_WRITABLE[encoding]}. Correct it, or name its encoding.`);
}

const NOT_WRITABLE: { readonly [encoding in ContentEncoding]: string } = {
  "utf-8": "holds half a character, which UTF-8 cannot express",
  latin1: "holds a character that Latin-1 does not have",
  base64: "is no base64",
};

/** The text of a file. Throws `FILE_ENCODING` instead of putting something in place of what is no UTF-8. */
export function textOf({ path, bytes }: FileContent, encoding: ContentEncoding = "utf-8"): string {
  if (encoding === "base64") return encodeBase64(bytes);
  if (encoding === "latin1") return decodeLatin1(bytes);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new WorkflowError("FILE_ENCODING", `${showPath(path)} is no text in UTF-8. Read it with mode: binary, or name its encoding.`);
}

/** ISO 8859-1: a byte for each character; nothing where one has no place there. */
function encodeLatin1(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return undefined;
    bytes[i] = code;
  }
  return bytes;
}

/** Every byte is a character. */
function decodeLatin1(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return chunks.join("");
}
