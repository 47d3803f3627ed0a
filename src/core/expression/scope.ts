import { WorkflowError } from "../model/errors.ts";
import { forbiddenKey, isForbiddenKey } from "./walk-path.ts";
import type { Reference } from "./syntax.ts";

/** What a look-up gives for a field of a block that was skipped. */
export const SKIPPED: unique symbol = Symbol("skipped");

/** What expressions see. Values come in through it and never go back into the parser. */
export interface Scope {
  /**
   * The value at a canonical path: `["inputs", name, …]`, `["metadata", name, …]` or
   * `["blocks", id, "outputs" | "inputs" | "metadata", field, …]`. {@link SKIPPED} for a field of a skipped block. Throws
   * `REFERENCE_UNKNOWN` for what does not exist.
   */
  lookup(path: readonly (string | number)[]): unknown;
  /** Whether a comparison of values that cannot be ordered or searched is unknown, in place of an error. Default: false. */
  readonly isLenient?: boolean;
}

/**
 * The value a canonical reference leads to, nested references first. {@link SKIPPED} where it, or a reference inside it, leads to a
 * skipped block. Throws `REFERENCE_UNKNOWN`, `REFERENCE_FORBIDDEN` for a composed key, `EXPRESSION_TYPE` for a key that is no text and
 * no index.
 */
export function resolveReference(reference: Reference, scope: Scope): unknown {
  if (!reference.path.some(isReference)) return scope.lookup(reference.path as readonly (string | number)[]);
  const path: (string | number)[] = [];
  for (const part of reference.path) {
    const key = isReference(part) ? resolveReference(part, scope) : part;
    if (key === SKIPPED) return SKIPPED;
    path.push(asKey(key, reference));
  }
  return scope.lookup(path);
}

function asKey(key: unknown, reference: Reference): string | number {
  if (typeof key !== "string" && !(Number.isSafeInteger(key) && (key as number) >= 0)) {
    const kind = key === null ? "null" : Array.isArray(key) ? "a list" : `a ${typeof key}`;
    throw new WorkflowError("EXPRESSION_TYPE", `A nested reference gave ${kind} as a key. It must give a text or an index from 0 on.`, {
      place: { column: reference.column },
    });
  }
  if (isForbiddenKey(key as string | number)) throw forbiddenKey(key as string | number, reference.column);
  return key as string | number;
}

/** Whether a part of a path is a nested reference. */
export function isReference(part: string | number | Reference): part is Reference {
  return typeof part === "object";
}
