/** Characters that are shown of one value: what is longer is exported. */
const MAX_SHOWN = 4_000;

/** A value as JSON that people read; of what JSON cannot hold, what comes closest. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, plain, 2) ?? "none";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.byteLength} bytes`;
  return value;
}
