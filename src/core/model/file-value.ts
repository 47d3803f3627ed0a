import type { JsonSchema } from "./json-schema.ts";
import { isRecord, type Value } from "./value.ts";
import type { FieldError } from "./value-problem.ts";

/** A file as an answer: its bytes are kept beside the journal, as a blob. */
export interface FileValue {
  readonly name: string;
  /** Its media type, `image/png` for example; empty where it is unknown. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** What a person may answer: data, and files at any depth of it. */
export type Answer = Value | FileValue | readonly Answer[] | { readonly [name: string]: Answer };

/** Whether a value is a file, as pages give it. */
export function isFileValue(value: unknown): value is FileValue {
  if (!isRecord(value)) return false;
  const { name, type, size, bytes } = value;
  return typeof name === "string" && typeof type === "string" && ArrayBuffer.isView(bytes) && isBytes(bytes) && bytes.byteLength === size;
}

/** Also bytes of another frame, and the buffers of Node. */
export function isBytes(view: ArrayBufferView): boolean {
  return (view as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] === "Uint8Array";
}

/** What keeps a value from being the file that a schema with `format: "file"` asks for. */
export function fileProblem(
  { contentMediaType, maxLength = Infinity }: JsonSchema,
  value: unknown,
): Required<Pick<FieldError, "code" | "message" | "params">> | undefined {
  if (!isFileValue(value)) {
    return {
      code: "format",
      message: "must be a file: { name, type, size, bytes }, its bytes as a Uint8Array of that size",
      params: { format: "file" },
    };
  }
  if (contentMediaType !== undefined && !contentMediaType.split(",").some((wanted) => isOfType(value, wanted.trim().toLowerCase()))) {
    return { code: "contentMediaType", message: `must be a file of the type ${contentMediaType}`, params: { contentMediaType } };
  }
  if (value.size <= maxLength) return undefined;
  return { code: "maxLength", message: `must have at most ${maxLength} bytes`, params: { limit: maxLength } };
}

/** As the attribute `accept` of a page has it: `image/png`, `image/*` or `.png`. */
function isOfType({ name, type }: FileValue, wanted: string): boolean {
  if (wanted.startsWith(".")) return name.toLowerCase().endsWith(wanted);
  // What follows a semicolon says how it is written, not what it is.
  const own = type.split(";", 1)[0]!.trim().toLowerCase();
  return wanted === "*/*" || (wanted.endsWith("/*") ? own.startsWith(wanted.slice(0, -1)) : own === wanted);
}
