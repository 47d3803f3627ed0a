import { readySchema } from "../../core/expression/ready-schema.ts";
import type { ErrorData } from "../../core/model/errors.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import type { Value } from "../../core/model/value.ts";
import type { FieldError } from "../pause-form.ts";
import type { Entry } from "./typed-entry.ts";
import { kindOf } from "./field-kind.ts";
import { pointerOf, type FieldPath } from "./form-context.ts";

/** What is seen to be wrong before anything is sent: text that is no JSON, files that are too large to be read. */
export function findLocalErrors(
  schema: ShownSchema,
  entry: Entry,
  hidden: ReadonlySet<string>,
  path: FieldPath = [],
): readonly FieldError[] {
  if (hidden.has(pointerOf(path))) return [];
  const wrong = (code: string, message: string, params: FieldError["params"] = {}): readonly FieldError[] => [
    { instancePath: pointerOf(path), code, message, params },
  ];
  const { maxLength = Infinity } = schema;
  switch (kindOf(schema, true)) {
    case "json":
      try {
        JSON.parse(String(entry || null));
        return [];
      } catch {
        return wrong("json", "is not valid JSON yet: check quotes, commas and brackets");
      }
    case "file":
      if (!(entry instanceof File) || entry.size <= maxLength) return [];
      return wrong("maxLength", `must have at most ${maxLength} bytes`, { limit: maxLength });
    case "list":
      return (entry as readonly Entry[]).flatMap((item, i) => findLocalErrors(schema.items!, item, hidden, [...path, i]));
    case "group": {
      const members = entry as { readonly [name: string]: Entry };
      return Object.entries(schema.properties!).flatMap(([name, part]) => findLocalErrors(part, members[name], hidden, [...path, name]));
    }
    default:
      return [];
  }
}

/** What is wrong with an answer, beside what is found here: all of it in one round. */
export async function findOtherErrors(
  schema: ShownSchema,
  value: Value | undefined,
  local: readonly FieldError[],
): Promise<readonly FieldError[]> {
  const found = new Set(local.map(({ instancePath }) => instancePath));
  const { problems } = (await readySchema(schema)).check(value, { formats: true, now: Date.now() });
  return problems.filter(({ instancePath }) => !found.has(instancePath));
}

/** A refusal that names no field is about the answer as a whole. */
export function fieldErrorsOf(error: ErrorData | undefined, fieldErrors: readonly FieldError[]): readonly FieldError[] {
  if (error?.code !== "RESPONSE_INVALID" || fieldErrors.length > 0) return fieldErrors;
  return [{ instancePath: "", code: "invalid", message: error.message }];
}

/** Reads the chosen files. */
export async function readFiles(entry: Entry): Promise<ReadonlyMap<File, Value>> {
  const read = new Map<File, Value>();
  for (const file of filesIn(entry)) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // Bytes are no JSON, but values of runs hold them.
    read.set(file, { name: file.name, type: file.type, size: file.size, bytes: bytes as unknown as Value });
  }
  return read;
}

/** The chosen files as they are before they are read: without bytes. Only how large they are is not seen by that. */
export function unreadFiles(entry: Entry): ReadonlyMap<File, Value> {
  const bytes = new Uint8Array() as unknown as Value;
  return new Map(filesIn(entry).map((file) => [file, { name: file.name, type: file.type, size: 0, bytes }]));
}

/** The chosen files. */
export function filesIn(entry: Entry): readonly File[] {
  if (entry instanceof File) return [entry];
  return typeof entry === "object" && entry !== null ? Object.values(entry as object).flatMap((part) => filesIn(part as Entry)) : [];
}
