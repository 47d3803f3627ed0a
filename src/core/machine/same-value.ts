/** Whether two values of runs are the same in every part: dates, bytes, maps and sets included, in the order they have. */
export function sameValue(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  const seen = new Map<object, object>();
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    // Objects of a serializer may hold circles, and parts that several share.
    if (seen.get(a) === b) continue;
    seen.set(a, b);
    const bytes = bytesOf(a);
    if (bytes) {
      if (a.constructor !== b.constructor || !sameBytes(bytes, bytesOf(b)!)) return false;
      continue;
    }
    const parts = partsOf(a);
    const others = partsOf(b);
    if (parts.kind !== others.kind || parts.values.length !== others.values.length) return false;
    if (parts.keys && !parts.keys.every((key) => Object.hasOwn(b, key))) return false;
    const ordered = parts.keys ? parts.keys.map((key) => (b as { readonly [key: string]: unknown })[key]) : others.values;
    parts.values.forEach((value, i) => pairs.push([value, ordered[i]]));
  }
  return true;
}

function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

interface Parts {
  readonly kind: unknown;
  readonly values: readonly unknown[];
  /** Names of members, whose order does not count. */
  readonly keys?: readonly string[];
}

function partsOf(value: object): Parts {
  if (Array.isArray(value)) return { kind: Array, values: value };
  if (value instanceof Date) return { kind: Date, values: [value.getTime()] };
  if (value instanceof Map) return { kind: Map, values: [...value].flat(1) };
  if (value instanceof Set) return { kind: Set, values: [...value] };
  const keys = Object.keys(value);
  return { kind: kindOf(value), values: keys.map((key) => (value as { readonly [key: string]: unknown })[key]), keys };
}

/** Objects without a prototype are as plain as the others. */
function kindOf(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null ? Object.prototype : prototype;
}
