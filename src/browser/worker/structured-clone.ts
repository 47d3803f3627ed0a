/** A copy whose bytes move to the worker instead of being copied twice on the way; the originals stay with the page, that may send them again. */
export function moveBytes(value: unknown, moved: Transferable[]): unknown {
  if (value instanceof Uint8Array) {
    const copy = new Uint8Array(value);
    moved.push(copy.buffer);
    return copy;
  }
  if (Array.isArray(value)) return value.map((part) => moveBytes(part, moved));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, moveBytes(part, moved)]));
}

/**
 * What of a value can cross to another thread: functions and symbols are left out, objects of classes that cannot be cloned keep their
 * own members. Only needed where a serializer let such things into the values of a run.
 */
export function cloneableOf(value: unknown, seen: Map<object, unknown> = new Map()): unknown {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  if (isCloneable(value)) return value;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  seen.set(value, copy);
  for (const [key, part] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: cloneableOf(part, seen), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

function isCloneable(value: object): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
