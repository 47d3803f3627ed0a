import { isRecord } from "./value.ts";
import type { ValueType } from "./workflow.ts";

/** Whether a value is of a declared type, without any conversion. An integer may be written 5.0. */
export function hasType(value: unknown, type: ValueType): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
  }
}

/** A value for messages: its JSON, cut after 60 characters. */
export function showValue(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : describe(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** A type with its article, for messages. */
export function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return `an object with ${Object.keys(value).length} members`;
  return String(value);
}
