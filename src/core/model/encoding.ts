import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "./limits.ts";
import type { IsSecretKey } from "./secret-keys.ts";
import { FORBIDDEN_KEYS, isPlain } from "./value.ts";

/** The member of an object that stands for a value JSON cannot hold. */
const RICH = "~";

/** A value ready for the journal, and the copy of it that the run keeps: frozen where it is plain, so that the past cannot be changed. */
export interface Encoded {
  readonly encoded: unknown;
  readonly value: unknown;
}

/** What stands in a journal for a value that JSON cannot hold: a text of `devalue`, and the hashes of the blobs that belong to it. */
export interface RichForm {
  readonly [RICH]: string;
  readonly blobs?: readonly string[];
}

export function richForm(text: string, blobs: readonly string[]): RichForm {
  return blobs.length === 0 ? { [RICH]: text } : { [RICH]: text, blobs };
}

/** Whether an encoded value is a {@link RichForm}; plain data of that shape is never written as it is. */
export function isRichForm(value: unknown): value is RichForm {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, RICH)) return false;
  const { [RICH]: text, blobs, ...rest } = value as { readonly [key: string]: unknown };
  return typeof text === "string" && (blobs === undefined || Array.isArray(blobs)) && Object.keys(rest).length === 0;
}

/** The text of a {@link RichForm}. */
export function richText(form: RichForm): string {
  return form[RICH];
}

/**
 * A value that is plain JSON, copied for the journal. Nothing where it is more than that, or larger or deeper than a value may be: what it is
 * then takes a closer look, which few values need. Nothing either where something stands under a secret key, if it is asked for these.
 */
export function encodePlain(value: unknown, isSecretKey?: IsSecretKey): Encoded | undefined {
  try {
    const copy = copyPlain(value, { left: MAX_VALUE_LENGTH, isSecretKey }, 0);
    return copy === NOT_PLAIN || isRichForm(copy) ? undefined : { encoded: copy, value: copy };
  } catch {
    // Getters and proxies may throw. The closer look says so.
    return undefined;
  }
}

const NOT_PLAIN = Symbol();

/** How much more may be copied, and the names at which copying ends. */
interface Budget {
  left: number;
  readonly isSecretKey: IsSecretKey | undefined;
}

function copyPlain(value: unknown, budget: Budget, depth: number): unknown {
  switch (typeof value) {
    case "string":
      return (budget.left -= value.length + 1) < 0 ? NOT_PLAIN : value;
    case "number":
      return !Number.isFinite(value) || Object.is(value, -0) ? NOT_PLAIN : value;
    case "boolean":
      return value;
    case "object":
      return value === null ? null : copyObject(value, budget, depth);
    default:
      return NOT_PLAIN;
  }
}

function copyObject(value: object, budget: Budget, depth: number): unknown {
  if (--budget.left < 0 || depth >= MAX_VALUE_DEPTH) return NOT_PLAIN;
  if (Array.isArray(value)) {
    if ((budget.left -= value.length) < 0) return NOT_PLAIN;
    const copy: unknown[] = [];
    for (const item of value) {
      const kept = copyPlain(item, budget, depth + 1);
      if (kept === NOT_PLAIN) return NOT_PLAIN;
      copy.push(kept);
    }
    return Object.freeze(copy);
  }
  if (!isPlain(value)) return NOT_PLAIN;
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) {
    const member = FORBIDDEN_KEYS.has(key) ? NOT_PLAIN : copyPlain(value[key], budget, depth + 1);
    if (member === NOT_PLAIN || (budget.left -= key.length + 1) < 0) return NOT_PLAIN;
    if (budget.isSecretKey?.(key) && mayBeSecret(member)) return NOT_PLAIN;
    copy[key] = member;
  }
  return Object.freeze(copy);
}

/** Nothing, a truth value and an empty text tell nothing. */
function mayBeSecret(value: unknown): boolean {
  return value !== null && value !== "" && typeof value !== "boolean";
}
