import { MAX_VALUE_DEPTH } from "../../model/limits.ts";
import { FORBIDDEN_KEYS, isRecord } from "../../model/value.ts";
import { memberPath } from "../compile-value.ts";
import type { ProblemList } from "./problem-list.ts";

/**
 * Calls `visit` for each text in a value. Reports `KEY_FORBIDDEN`, what is no plain JSON as `SCHEMA_INVALID`, and nesting over the limit
 * as `LIMIT_EXCEEDED`.
 */
export function walkTexts(
  value: unknown,
  path: string,
  options: { readonly problems: ProblemList; readonly visit: (text: string, path: string) => void },
): void {
  walk(value, path, 0, options);
}

interface Walk {
  readonly problems: ProblemList;
  readonly visit: (text: string, path: string) => void;
}

function walk(value: unknown, path: string, depth: number, at: Walk): void {
  if (at.problems.isFull) return;
  if (typeof value === "string") return at.visit(value, path);
  if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return;
  if (!isPlain(value))
    return at.problems.error(
      "SCHEMA_INVALID",
      path,
      `${path} is no plain JSON. Use texts, finite numbers, booleans, null, lists and objects.`,
    );
  if (depth === MAX_VALUE_DEPTH) {
    return at.problems.error("LIMIT_EXCEEDED", path, `A value is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`);
  }
  if (Array.isArray(value)) return value.forEach((item, i) => walk(item, `${path}[${i}]`, depth + 1, at));
  for (const key of Object.keys(value)) {
    const memberAt = memberPath(path, key);
    if (FORBIDDEN_KEYS.has(key)) at.problems.error("KEY_FORBIDDEN", memberAt, `"${key}" cannot be a key. Rename it.`, { isKey: true });
    else walk((value as { readonly [key: string]: unknown })[key], memberAt, depth + 1, at);
  }
}

function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
