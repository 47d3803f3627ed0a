/** What a client gets for values that JSON cannot hold: dates as ISO 8601, maps as objects, sets as lists, of bytes how many there are. */
export function plainJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => plain(member)) ?? "null") as T;
}

function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return typeof value === "bigint" ? String(value) : value;
}
