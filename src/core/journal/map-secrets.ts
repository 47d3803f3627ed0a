import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { mapMembers } from "../model/map-members.ts";
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
    // Of a list of holes no item is visited.
    if (Array.isArray(part) && part.length > left) throw TOO_LARGE;
    return mapMembers(part, (member, name) => visit(member, typeof name === "string" && isSecretKey(name) ? name : key, depth + 1));
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
