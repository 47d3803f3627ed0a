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
