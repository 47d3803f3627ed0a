/** What definitions, inputs and answers are made of: plain JSON. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Named values: the inputs of a run, the outputs of a block. */
export type Values = { readonly [name: string]: Value };

/** Keys that never name data: they reach into prototypes. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Whether a value is an object with named members (not null, not a list). */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object as braces make it, in any frame: no list, no date, no bytes, no instance of a class. Never throws. */
export function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    // A proxy that cannot be read.
    return false;
  }
}

/** Values of an entry, once decoded: null for what is none. */
export function valuesOf(value: unknown): Values | null {
  return isRecord(value) ? (value as Values) : null;
}
