import type { Masker } from "./masker.ts";
import { mapMembers } from "../model/map-members.ts";
import { isRecord } from "../model/value.ts";
import { MASK, type MaskedEntry } from "../journal/journal.ts";
import { type ErrorData, causeOf } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";

/**
 * A value with the secrets in it masked: in texts, in the names of members, in numbers, bytes, maps, sets and dates. What holds none is given
 * back itself; what is made anew is frozen, as all recorded values are.
 */
export function maskValue(value: unknown, masker: Masker): unknown {
  switch (typeof value) {
    case "string":
      return masker.text(value);
    case "number":
    case "bigint":
      return masker.isNumeric ? maskAsText(value, String(value), masker) : value;
    case "object":
      return value === null ? null : maskObject(value, masker);
    default:
      return value;
  }
}

function maskAsText(value: unknown, text: string, masker: Masker): unknown {
  const masked = masker.text(text);
  return masked === text ? value : masked;
}

function maskObject(value: object, masker: Masker): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : maskAsText(value, value.toISOString(), masker);
  if (value instanceof ArrayBuffer) return masker.bytes(new Uint8Array(value))?.buffer ?? value;
  if (ArrayBuffer.isView(value)) return maskBytes(value, masker);
  const mask = (part: unknown): unknown => maskValue(part, masker);
  // What a serializer keeps is masked as the data that it is then.
  return mapMembers(value, mask, mask);
}

/** Typed arrays keep their type and length. */
function maskBytes(view: ArrayBufferView, masker: Masker): unknown {
  const masked = masker.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  if (!masked) return view;
  const Kind = view.constructor as new (buffer: ArrayBufferLike) => ArrayBufferView;
  return new Kind(masked.buffer);
}

/**
 * A schema with the secrets in its texts, choices and names masked, its keywords left as they are: a secret that happens to read "string"
 * must not make a question impossible to answer. Answers are masked before they are checked, so what fitted still fits.
 */
function maskSchema(schema: object, masker: Masker): object {
  return mapMembers(schema, (value, keyword) => {
    switch (keyword) {
      case "type":
      case "format":
        return value;
      case "pattern":
        return maskPattern(String(value), masker);
      case "items":
      case "additionalProperties":
        return isRecord(value) ? maskSchema(value, masker) : value;
      case "properties":
        return mapMembers(
          value as object,
          (part) => maskSchema(part as object, masker),
          (name) => maskValue(name, masker),
        );
      default:
        return maskValue(value, masker);
    }
  });
}

/** The asterisks stand for themselves, as they do in the masked answer. */
function maskPattern(pattern: string, masker: Masker): string {
  const masked = masker.text(pattern);
  return masked === pattern ? pattern : masked.replaceAll(MASK, String.raw`\*\*\*`);
}

/** Members that are the engine's own and never hold what a block or a person gave. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "type",
  "block",
  "workflow",
  "definition",
  "status",
  "parent",
  "callers",
  "path",
  "asks",
  "given",
  "about",
  "action",
  "by",
]);

/**
 * An entry with all secrets in it masked. `decoded` is the same entry with values as blocks see them: what the journal cannot hold as plain JSON
 * was masked when it was encoded. Nothing where there is no secret.
 */
export function maskEntry(entry: Entry, decoded: Entry, masker: Masker): MaskedEntry | undefined {
  const inJournal: { [member: string]: unknown } = { ...entry };
  const inMemory: { [member: string]: unknown } = { ...decoded };
  let isSame = true;
  let isTwin = true;
  for (const [member, value] of Object.entries(decoded) as [string, unknown][]) {
    if (inJournal[member] !== value) {
      isTwin = false;
      continue;
    }
    const masked = maskMember(member, value, masker);
    if (masked === value) continue;
    isSame = false;
    inMemory[member] = masked;
    inJournal[member] = masked;
  }
  if (isSame) return undefined;
  const made = inJournal as unknown as Entry;
  return { entry: made, decoded: isTwin ? made : (inMemory as unknown as Entry), text: JSON.stringify(made) };
}

function maskMember(member: string, value: unknown, masker: Masker): unknown {
  if (OWN_MEMBERS.has(member) || typeof value === "number") return value;
  if (member === "schema") return maskSchema(value as object, masker);
  if (member === "reason") return mapMembers(value as object, (part, name) => (name === "condition" ? maskValue(part, masker) : part));
  if (member === "error" && isRecord(value)) return maskErrorData(value as unknown as ErrorData, masker);
  return maskValue(value, masker);
}

/** An error with what is secret in any member of it masked; its message may have been cut in the middle of a secret. */
export function maskErrorData({ message, ...rest }: ErrorData, masker: Masker): ErrorData {
  return { ...(maskValue(rest, masker) as Omit<ErrorData, "message">), message: masker.text(message, { isCut: true }) };
}

/** How many nested causes are kept. */
const MAX_CAUSES = 10;

/**
 * What a block threw, with what is secret in it masked: an error of the same name, message and stack, with its causes. What cannot be
 * read, or is no error, becomes a text.
 */
export function maskCause(thrown: unknown, masker: Masker, depth = 0): unknown {
  const read = (member: "name" | "message" | "stack"): string | undefined => {
    try {
      const text = (thrown as Error)[member];
      return typeof text === "string" ? masker.text(text, { isCut: true }) : undefined;
    } catch {
      return undefined;
    }
  };
  const message = read("message");
  if (message === undefined) return tell(thrown, masker);
  const error = new Error(message);
  error.name = read("name") ?? "Error";
  error.stack = read("stack") ?? message;
  const cause = depth < MAX_CAUSES ? causeOf(thrown) : undefined;
  if (cause !== undefined) error.cause = maskCause(cause, masker, depth + 1);
  return error;
}

function tell(thrown: unknown, masker: Masker): string {
  try {
    return masker.text(String(thrown));
  } catch {
    return "What was thrown cannot be read.";
  }
}
