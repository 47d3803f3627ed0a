import { WorkflowError } from "../../model/errors.ts";
import { showPath } from "../../model/file-path.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../../model/limits.ts";
import type { Value, Values } from "../../model/value.ts";
import { FORBIDDEN_KEYS, isPlain, isRecord } from "../../model/value.ts";
import type { FileContent, Files, WrittenFile } from "../../ports/files.ts";
import { bytesOf, textOf } from "./content.ts";

/** The object that a JSON file holds. Throws `FILE_ENCODING`, `KEY_FORBIDDEN` and `LIMIT_EXCEEDED`. */
export function parseDocument(file: FileContent): Values {
  const text = textOf(file);
  assertLength(file.path, text);
  const document = parseJson(text, file.path);
  if (!isRecord(document)) throw noDocument(file.path, "holds no JSON object");
  assertPlain(document, "", 0);
  return document;
}

/** Writes an object as a JSON file, in place of what was there. Throws what {@link parseDocument} throws, and what files throw. */
export async function writeDocument(
  files: Files,
  path: string,
  { data, makeFolders }: { readonly data: Values; readonly makeFolders: boolean },
): Promise<WrittenFile> {
  assertPlain(data, "", 0);
  const text = `${JSON.stringify(data, null, 2)}\n`;
  assertLength(path, text);
  return files.write(path, bytesOf(text, "utf-8"), { overwrite: true, makeFolders });
}

function parseJson(text: string, path: string): unknown {
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw noDocument(path, `is no JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
}

/** Plain JSON, and no name that reaches into prototypes: what is kept in a file comes back as it was. */
function assertPlain(value: unknown, path: string, depth: number): asserts value is Value {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (!Array.isArray(value) && !isPlain(value)) {
    const what = path === "" ? "The data" : `The data at "${path.slice(0, 200)}"`;
    throw new WorkflowError(
      "VALUE_UNSERIALIZABLE",
      `${what} cannot be written as JSON. Use texts, numbers, booleans, null, lists and objects.`,
    );
  }
  if (depth === MAX_VALUE_DEPTH) {
    throw new WorkflowError("LIMIT_EXCEEDED", `The data is nested deeper than ${MAX_VALUE_DEPTH} levels. Make it flatter.`);
  }
  if (Array.isArray(value)) return value.forEach((item, i) => assertPlain(item, `${path}[${i}]`, depth + 1));
  for (const [key, member] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw new WorkflowError("KEY_FORBIDDEN", `The data has a key "${key}", which cannot be one. Rename it.`);
    assertPlain(member, path === "" ? key : `${path}.${key}`, depth + 1);
  }
}

function assertLength(path: string, text: string): void {
  if (text.length <= MAX_VALUE_LENGTH) return;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The document ${showPath(path)} has ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed. Keep it smaller.`,
    { details: { length: text.length, limit: MAX_VALUE_LENGTH } },
  );
}

function noDocument(path: string, reason: string, cause?: unknown): WorkflowError {
  return new WorkflowError(
    "FILE_ENCODING",
    `${showPath(path)} ${reason}. State is kept as a JSON object: correct the file, or remove it.`,
    { cause },
  );
}
