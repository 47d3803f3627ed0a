import { BYTE_KINDS } from "../../model/byte-kinds.ts";
import { errorData, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { isFileValue } from "../../model/file-value.ts";
import { MAX_BIGINT_DIGITS, MAX_VALUE_BYTES, MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../../model/limits.ts";
import { FORBIDDEN_KEYS, isPlain } from "../../model/value.ts";
import type { ValueRules } from "../../ports/serializer.ts";
import { MASK } from "../kept-secrets.ts";
import { mapSecrets } from "../map-secrets.ts";
import { SerializedObject, StoredBytes } from "./stored-value.ts";

/** Bytes that stay in their entry, in all of one value: as base64 they take two thirds of what an entry may have. */
const MAX_INLINE_BYTES = 524_288;
/** Bytes of one buffer that is never worth a blob of its own. */
const MIN_BLOB_BYTES = 16_384;

export interface CopyOptions {
  /** What the value is, for messages. */
  readonly what: string;
  readonly rules: ValueRules;
  /** Masks what is secret in a text, number, date or bytes; dates and numbers become texts where they are. */
  readonly mask: <T>(leaf: T) => T | string;
}

/** A value that shares nothing with the given one, and holds only what the encoding knows. */
export interface Copied {
  readonly copy: unknown;
  /** The bytes of each {@link StoredBytes} in it. */
  readonly blobs: readonly Uint8Array<ArrayBuffer>[];
  /** Paths to what was left out. */
  readonly dropped: readonly string[];
}

/** Copies a value for the journal. Throws `VALUE_UNSERIALIZABLE` with the path to what cannot be stored, and `LIMIT_EXCEEDED`. */
export function copyRich(value: unknown, options: CopyOptions): Copied {
  const walk = new Walk(options);
  const copy = readAll(() => walk.copy(value, undefined, 0), options.what);
  if (copy === DROPPED) throw refused(options.what, "", "nothing that can be stored");
  return { copy, blobs: walk.blobs, dropped: walk.dropped };
}

/** Getters, proxies and buffers that were given away may throw when they are read. */
function readAll<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (error) {
    if (isWorkflowError(error)) throw error;
    const { message } = errorData(error, "VALUE_UNSERIALIZABLE");
    throw new WorkflowError("VALUE_UNSERIALIZABLE", `${what} cannot be read: ${message}. Give plain data.`, { cause: error });
  }
}

/** Where the walk stands, linked upwards: the path is only written out for an error. */
interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
  readonly holder: object;
}

const DROPPED = Symbol();

class Walk {
  readonly blobs: Uint8Array<ArrayBuffer>[] = [];
  readonly dropped: string[] = [];
  readonly #options: CopyOptions;
  /** Characters and members that the value may still have. */
  #left = MAX_VALUE_LENGTH;
  #bytes = 0;
  #inlineBytes = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  copy(value: unknown, place: Place | undefined, depth: number): unknown {
    this.#take(1);
    switch (typeof value) {
      case "string": {
        const text = this.#options.mask(value);
        this.#take(text.length);
        return text;
      }
      case "number":
        return this.#options.mask(value);
      case "bigint":
        return this.#copyBigint(value);
      case "boolean":
      case "undefined":
        return value;
      case "object":
        return value === null ? null : this.#copyObject(value, place, depth);
      default:
        return this.#refuse(place, `a ${typeof value}`);
    }
  }

  #copyObject(value: object, place: Place | undefined, depth: number): unknown {
    for (let up = place; up; up = up.up) if (up.holder === value) return this.#refuse(place, "a cycle");
    if (depth >= MAX_VALUE_DEPTH) {
      throw new WorkflowError("LIMIT_EXCEEDED", `${this.#options.what} is nested deeper than ${MAX_VALUE_DEPTH} levels. Make it flatter.`, {
        details: { limit: MAX_VALUE_DEPTH },
      });
    }
    if (Array.isArray(value)) return this.#copyList(value, place, depth);
    if (isPlain(value)) return this.#copyRecord(value, place, depth);
    if (value instanceof Date) return this.#copyDate(value);
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return this.#copyBytes(value, place);
    if (value instanceof Map) return this.#copyMap(value, place, depth);
    if (value instanceof Set) return this.#copySet(value, place, depth);
    return this.#copyInstance(value, place, depth);
  }

  /** In a list every item keeps its place: what is dropped is `null` there. Holes stay holes. */
  #copyList(list: readonly unknown[], up: Place | undefined, depth: number): readonly unknown[] {
    this.#take(list.length);
    const copy: unknown[] = [];
    copy.length = list.length;
    for (let key = 0; key < list.length; key++) {
      if (!(key in list)) continue;
      const item = this.copy(list[key], { up, key, holder: list }, depth + 1);
      copy[key] = item === DROPPED ? null : item;
    }
    return copy;
  }

  #copyRecord(record: object, up: Place | undefined, depth: number): object {
    const copy: { [key: string]: unknown } = {};
    const isFile = isFileValue(record);
    for (const [key, value] of Object.entries(record)) {
      const place = { up, key, holder: record };
      if (isFile && key === "bytes") {
        copy[key] = this.#copyBytes(value as Uint8Array, place, { asBlob: true });
        continue;
      }
      if (FORBIDDEN_KEYS.has(key)) {
        this.#refuse(place, "a forbidden key");
        continue;
      }
      const member = this.copy(value, place, depth + 1);
      if (member === DROPPED) continue;
      this.#take(key.length);
      copy[freeName(this.#options.mask(key), copy)] = member;
    }
    return copy;
  }

  #copyMap(map: ReadonlyMap<unknown, unknown>, up: Place | undefined, depth: number): ReadonlyMap<unknown, unknown> {
    const copy = new Map<unknown, unknown>();
    let at = 0;
    for (const [key, value] of map) {
      const name = this.copy(key, { up, key: `key ${at}`, holder: map }, depth + 1);
      const item = this.copy(value, { up, key: at++, holder: map }, depth + 1);
      if (name !== DROPPED && item !== DROPPED) copy.set(name, item);
    }
    return copy;
  }

  #copySet(set: ReadonlySet<unknown>, up: Place | undefined, depth: number): ReadonlySet<unknown> {
    const copy = new Set<unknown>();
    let key = 0;
    for (const value of set) {
      const item = this.copy(value, { up, key: key++, holder: set }, depth + 1);
      if (item !== DROPPED) copy.add(item);
    }
    return copy;
  }

  /** Hexadecimal digits are never more than decimal ones, and cost no more than they are many. */
  #copyBigint(value: bigint): unknown {
    const { what, mask } = this.#options;
    if (value.toString(16).length <= MAX_BIGINT_DIGITS && String(value).length <= MAX_BIGINT_DIGITS) return mask(value);
    throw new WorkflowError("LIMIT_EXCEEDED", `${what} holds a bigint of more than ${MAX_BIGINT_DIGITS} digits. Give a smaller one.`, {
      details: { limit: MAX_BIGINT_DIGITS },
    });
  }

  #copyDate(date: Date): unknown {
    const masked = this.#options.mask(date);
    return masked instanceof Date ? new Date(masked.getTime()) : masked;
  }

  /** A part of a larger buffer becomes a buffer of its own: what else is in that one may be anything. */
  #copyBytes(value: ArrayBufferView | ArrayBuffer, place: Place | undefined, { asBlob = false } = {}): unknown {
    const kind = value instanceof ArrayBuffer ? "ArrayBuffer" : kindOf(value);
    const Kind = BYTE_KINDS.get(kind);
    if (!Kind && kind !== "ArrayBuffer") return this.#refuse(place, `a ${kind}, which not every platform has,`);
    this.#bytes += value.byteLength;
    if (this.#bytes > MAX_VALUE_BYTES) {
      throw new WorkflowError(
        "LIMIT_EXCEEDED",
        `${this.#options.what} holds more than ${MAX_VALUE_BYTES} bytes. Keep large data elsewhere and pass its address.`,
        { details: { limit: MAX_VALUE_BYTES } },
      );
    }
    const given = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const bytes = new Uint8Array(this.#options.mask(given) as Uint8Array);
    const isSmall = bytes.length < MIN_BLOB_BYTES || this.#inlineBytes + bytes.length <= MAX_INLINE_BYTES;
    // The bytes of a file are kept beside the journal, however few.
    const isInline = asBlob ? bytes.length === 0 : isSmall;
    if (!isInline) return new StoredBytes(kind, this.blobs.push(bytes) - 1);
    this.#inlineBytes += bytes.length;
    return Kind ? new Kind(bytes.buffer) : bytes.buffer;
  }

  #copyInstance(value: object, place: Place | undefined, depth: number): unknown {
    for (const serializer of this.#options.rules.serializers.values()) {
      try {
        if (!serializer.accepts(value)) continue;
        // An object that is made of it again could not be opened for blocks as data can.
        const data = mapSecrets(serializer.serialize(value), this.#options.rules.isSecretKey, () => MASK);
        const copy = this.copy(data, { up: place, key: serializer.name, holder: value }, depth + 1);
        return copy === DROPPED ? DROPPED : new SerializedObject(serializer.name, copy);
      } catch (error) {
        if (isWorkflowError(error)) throw error;
        throw new WorkflowError(
          "VALUE_UNSERIALIZABLE",
          `Serializer "${serializer.name}" failed with an object in ${this.#options.what}: ${error instanceof Error ? error.message : String(error)}`,
          { place: { path: pathOf(place) }, details: { serializer: serializer.name }, cause: error },
        );
      }
    }
    return this.#refuse(place, `an instance of ${value.constructor?.name || "a class"}`);
  }

  #refuse(place: Place | undefined, thing: string): typeof DROPPED {
    const path = this.#options.mask(pathOf(place));
    if (this.#options.rules.onUnserializable === "refuse" || !place) throw refused(this.#options.what, path, thing);
    this.dropped.push(path);
    return DROPPED;
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `${this.#options.what} takes more than ${MAX_VALUE_LENGTH} characters. Keep large data elsewhere and pass its address.`,
      { details: { limit: MAX_VALUE_LENGTH } },
    );
  }
}

/** Also of a subclass, such as the buffers of Node, and of bytes that come from another frame. */
function kindOf(view: ArrayBufferView): string {
  return (view as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? "view";
}

/** Two members whose names held different secrets stay two. */
function freeName(name: string, taken: object): string {
  let free = name;
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${name} (${count})`;
  return free;
}

function pathOf(place: Place | undefined): string {
  const keys: string[] = [];
  for (let up = place; up; up = up.up) keys.unshift(typeof up.key === "number" ? `[${up.key}]` : `.${up.key}`);
  return keys.join("").replace(/^\./, "");
}

function refused(what: string, path: string, thing: string): WorkflowError {
  return new WorkflowError(
    "VALUE_UNSERIALIZABLE",
    `${what} holds ${thing}${path ? ` at "${path}"` : ""}, which cannot be stored. ${thing.endsWith("File") ? "Give { name, type, size, bytes }, with await file.bytes()" : "Return plain data: text, numbers, lists, objects, dates, maps, sets or bytes; or give createExecutor a serializer"}.`,
    path ? { place: { path } } : {},
  );
}
