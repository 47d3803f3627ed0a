import type { Masker } from "./masker.ts";

/**
 * A value with the secrets in it masked: in texts, in the names of members, in numbers, bytes, maps, sets and dates. What holds none is given
 * back itself; what is made anew is frozen, as all recorded values are.
 */
export function maskValue(value: unknown, masker: Masker): unknown {
  switch (typeof value) {
    case "string":
      return masker.text(value);
    case "number":
    case "bigint":
      return masker.isNumeric ? maskAsText(value, String(value), masker) : value;
    case "object":
      return value === null ? null : maskObject(value, masker);
    default:
      return value;
  }
}

function maskAsText(value: unknown, text: string, masker: Masker): unknown {
  const masked = masker.text(text);
  return masked === text ? value : masked;
}

function maskObject(value: object, masker: Masker): unknown {
  if (Array.isArray(value)) return maskList(value, masker);
  if (value instanceof Map) return maskMap(value, masker);
  if (value instanceof Set) {
    const items = [...value];
    const masked = maskList(items, masker);
    return masked === items ? value : new Set(masked);
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : maskAsText(value, value.toISOString(), masker);
  if (value instanceof ArrayBuffer) return masker.bytes(new Uint8Array(value))?.buffer ?? value;
  if (ArrayBuffer.isView(value)) return maskBytes(value, masker);
  // What a serializer keeps is masked as the data that it is then.
  if (!isPlain(value)) return value;
  return maskRecord(value as { readonly [key: string]: unknown }, masker);
}

function maskList(items: readonly unknown[], masker: Masker): readonly unknown[] {
  const masked = items.map((item) => maskValue(item, masker));
  return masked.every((item, i) => Object.is(item, items[i])) ? items : Object.freeze(masked);
}

function maskMap(map: ReadonlyMap<unknown, unknown>, masker: Masker): ReadonlyMap<unknown, unknown> {
  const entries = [...map].flat();
  const masked = maskList(entries, masker);
  if (masked === entries) return map;
  const made = new Map<unknown, unknown>();
  for (let i = 0; i < masked.length; i += 2)
    made.set(typeof masked[i] === "string" ? freeName(masked[i] as string, made) : masked[i], masked[i + 1]);
  return made;
}

/** Typed arrays keep their type and length. */
function maskBytes(view: ArrayBufferView, masker: Masker): unknown {
  const masked = masker.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  if (!masked) return view;
  const Kind = view.constructor as new (buffer: ArrayBufferLike) => ArrayBufferView;
  return new Kind(masked.buffer);
}

function maskRecord(record: { readonly [key: string]: unknown }, masker: Masker): unknown {
  const made = new Map<string, unknown>();
  let isSame = true;
  for (const key of Object.keys(record)) {
    const name = masker.text(key);
    const value = maskValue(record[key], masker);
    if (name !== key || !Object.is(value, record[key])) isSame = false;
    made.set(name === key ? key : freeName(name, made), value);
  }
  return isSame ? record : Object.freeze(Object.fromEntries(made));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Two members whose names held different secrets stay two. */
function freeName(name: string, taken: ReadonlyMap<unknown, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
  return free;
}
