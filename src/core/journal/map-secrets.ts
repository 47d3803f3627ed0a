import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { IsSecretKey } from "../model/secret-keys.ts";

/** What may be secret under a secret key: truth values and empty texts tell nothing. */
type Leaf = string | number | bigint | ArrayBuffer | ArrayBufferView;

/** Counts of tokens, as models report them. */
const COUNTED = /tokens$/i;

/**
 * A value with each text, number and run of bytes changed that stands under a secret key, however deep below it. What has none is given back itself;
 * what is made anew is frozen. A value that is too large or cannot be read is given back too: encoding it says what is wrong with it. `under`
 * is the secret key under which the value itself stands, if it does.
 */
export function mapSecrets<T>(value: T, isSecretKey: IsSecretKey, change: (leaf: Leaf) => unknown, under?: string): T {
  let left = MAX_VALUE_LENGTH;

  function visit(part: unknown, key: string | undefined, depth: number): unknown {
    if (--left < 0 || depth > MAX_VALUE_DEPTH) throw TOO_LARGE;
    if (typeof part !== "object" || part === null || isBytes(part)) return key !== undefined && isLeaf(part, key) ? change(part) : part;
    if (Array.isArray(part)) return visitList(part, key, depth);
    if (part instanceof Map) return visitMap(part, key, depth);
    if (part instanceof Set) {
      const items = [...part];
      const changed = visitList(items, key, depth);
      return changed === items ? part : new Set(changed);
    }
    return isPlain(part) ? visitRecord(part as { readonly [key: string]: unknown }, key, depth) : part;
  }

  function visitList(items: readonly unknown[], key: string | undefined, depth: number): readonly unknown[] {
    // Of a list of holes no item is visited.
    if (items.length > left) throw TOO_LARGE;
    const changed = items.map((item) => visit(item, key, depth + 1));
    return changed.every((item, i) => Object.is(item, items[i])) ? items : Object.freeze(changed);
  }

  function visitMap(map: ReadonlyMap<unknown, unknown>, key: string | undefined, depth: number): ReadonlyMap<unknown, unknown> {
    let isSame = true;
    const changed = new Map<unknown, unknown>();
    for (const [name, item] of map) {
      const made = visit(item, typeof name === "string" && isSecretKey(name) ? name : key, depth + 1);
      if (!Object.is(made, item)) isSame = false;
      changed.set(name, made);
    }
    return isSame ? map : changed;
  }

  function visitRecord(record: { readonly [key: string]: unknown }, key: string | undefined, depth: number): object {
    let isSame = true;
    const changed = Object.entries(record).map(([name, member]): [string, unknown] => {
      const made = visit(member, isSecretKey(name) ? name : key, depth + 1);
      if (!Object.is(made, member)) isSame = false;
      return [name, made];
    });
    return isSame ? record : Object.freeze(Object.fromEntries(changed));
  }

  try {
    return visit(value, under, 0) as T;
  } catch {
    return value;
  }
}

/** A value with nothing under its secret keys: for what is shown or kept before it is an answer. */
export function withoutSecrets<T>(value: T, isSecretKey: IsSecretKey): T {
  return mapSecrets(value, isSecretKey, () => "");
}

/** Whether a value holds something under a secret key. */
export function holdsSecrets(value: unknown, isSecretKey: IsSecretKey): boolean {
  let found = false;
  mapSecrets(value, isSecretKey, (leaf) => {
    found = true;
    return leaf;
  });
  return found;
}

const TOO_LARGE = new Error("The value is too large.");

function isLeaf(value: unknown, key: string): value is Leaf {
  switch (typeof value) {
    case "string":
      return value !== "";
    case "number":
    case "bigint":
      return !COUNTED.test(key);
    default:
      return isBytes(value);
  }
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
