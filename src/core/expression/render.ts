import { encodeBase64 } from "../model/base64.ts";
import { WorkflowError } from "../model/errors.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Value } from "../model/value.ts";
import { SKIPPED, type Scope, resolveReference } from "./scope.ts";
import type { Template } from "./syntax.ts";

/**
 * The value of a template. A template that is one reference gives the value itself; a field of a skipped block is null. Throws
 * `LIMIT_EXCEEDED` before it builds a text longer than a value may be, and what the look-up throws.
 */
export function renderTemplate(template: Template, scope: Scope): Value {
  const [only, ...more] = template.parts;
  if (more.length > 0 || only === undefined || typeof only === "string")
    return renderText(template, scope, (value) => (value === SKIPPED ? null : value));
  const value = resolveReference(only, scope);
  return value === SKIPPED ? null : (value as Value);
}

/** The text of a template; every value passes through `see` first. */
export function renderText(template: Template, scope: Scope, see: (value: unknown) => unknown): string {
  const chunks: string[] = [];
  let length = 0;
  for (const part of template.parts) {
    const chunk = typeof part === "string" ? part : textOf(see(resolveReference(part, scope)));
    length += chunk.length;
    if (length > MAX_VALUE_LENGTH) throw valueTooLong();
    chunks.push(chunk);
  }
  return chunks.join("");
}

/** A value inside a text: null is nothing, lists and objects are compact JSON, a date is ISO 8601, bytes are base64. Throws `LIMIT_EXCEEDED`. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  if (typeof value !== "object") return String(value);
  const bytes = bytesText(value);
  if (bytes !== undefined) return bytes;
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? String(member) : (bytesText(member) ?? member)));
}

function bytesText(value: unknown): string | undefined {
  if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)) return undefined;
  if (value.byteLength > MAX_VALUE_LENGTH) throw valueTooLong();
  return encodeBase64(
    value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  );
}

/** The error for a value that outgrows what may be stored: `LIMIT_EXCEEDED`. */
export function valueTooLong(): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `A value made from references is longer than ${MAX_VALUE_LENGTH} characters. Refer to less data at once.`,
    {
      details: { limit: MAX_VALUE_LENGTH },
    },
  );
}
