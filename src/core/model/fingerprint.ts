/**
 * A short text that two values share only if they are the same, as {@link canonicalText} has it; dates, bytes, maps and sets included. Made at once,
 * without the platform, so that the machine can use it; not meant to withstand someone who looks for two values with the same text.
 */
export function fingerprint(value: unknown): string {
  const text = canonicalText(value);
  // Four sums with multipliers and places of their own: 128 bits.
  const sums = [0x9e3779b9 | 0, 0x243f6a88 | 0, 0xb7e15162 | 0, 0x85a308d3 | 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    sums[0] = Math.imul(sums[0]! ^ code, 0x01000193);
    sums[1] = Math.imul(sums[1]! + code, 0x5bd1e995) ^ (sums[0] >>> 13);
    sums[2] = (Math.imul(sums[2]!, 31) + code) ^ (sums[1] >>> 17);
    sums[3] = Math.imul(sums[3]! ^ (code + i), 0x27d4eb2f) ^ (sums[2] >>> 11);
  }
  return sums.map((sum) => ((sum ^ (sum >>> 15)) >>> 0).toString(36)).join("");
}

/** Whether two values of runs are the same in every part, the order of members left out of account. */
export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || canonicalText(one) === canonicalText(other);
}

/** A text that two values share only if they are the same, the order of members left out of account. A circle is written as the place where it began. */
export function canonicalText(value: unknown): string {
  const places = new Map<object, number>();
  const write = (part: unknown): string => {
    if (typeof part !== "object" || part === null)
      return typeof part === "string" ? JSON.stringify(part) : `${typeof part}:${String(part)}`;
    const place = places.get(part);
    if (place !== undefined) return `@${place}`;
    // Plain data is a tree: what is met twice is written twice, so that a copy has the same text. A circle would not end.
    places.set(part, places.size);
    const text = writeObject(part);
    places.delete(part);
    return text;
  };
  const writeObject = (part: object): string => {
    if (Array.isArray(part)) return `[${part.map(write).join()}]`;
    if (part instanceof Date) return `date:${part.getTime()}`;
    if (part instanceof Map) return `map:[${[...part].map(([key, item]) => `${write(key)}=${write(item)}`).join()}]`;
    if (part instanceof Set) return `set:[${[...part].map(write).join()}]`;
    if (part instanceof ArrayBuffer) return `bytes:${new Uint8Array(part).join()}`;
    if (ArrayBuffer.isView(part)) return `${part.constructor.name}:${new Uint8Array(part.buffer, part.byteOffset, part.byteLength).join()}`;
    const members = Object.entries(part).filter(([, member]) => member !== undefined);
    const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join()}}`;
  };
  return write(value);
}
