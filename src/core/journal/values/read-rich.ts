import { parse } from "devalue";
import { richText, type RichForm } from "../../model/encoding.ts";
import { BYTE_KINDS } from "../../model/byte-kinds.ts";
import { WorkflowError } from "../../model/errors.ts";
import { MAX_BIGINT_DIGITS, MAX_VALUE_BYTES, MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../../model/limits.ts";
import type { ValueRules } from "../../ports/serializer.ts";
import { BYTES_TAG, OBJECT_TAG, SerializedObject, StoredBytes } from "./stored-value.ts";

/** Bytes by their hash. */
export type BlobContents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface RichParts {
  readonly contents: BlobContents;
  readonly rules: ValueRules;
}

const TEMPORAL = ["Duration", "Instant", "PlainDate", "PlainTime", "PlainDateTime", "PlainMonthDay", "PlainYearMonth", "ZonedDateTime"];
/** What `devalue` can read and is never written: regular expressions, addresses and the like. */
const NEVER_WRITTEN: { readonly [type: string]: () => never } = Object.fromEntries(
  ["RegExp", "URL", "URLSearchParams", "Object", "Float16Array", ...TEMPORAL.map((type) => `Temporal.${type}`)].map((type) => [
    type,
    () => {
      throw new TypeError(`No value of the type ${type} is ever stored.`);
    },
  ]),
);

/** The value that a form stands for, made from it and its blobs. Throws any error for what is never written; `SERIALIZER_MISSING`. */
export function readRich(form: RichForm, { contents, rules }: RichParts): unknown {
  let isSpecial = false;
  const value: unknown = parse(richText(form), {
    ...NEVER_WRITTEN,
    BigInt: readBigint,
    [BYTES_TAG]: (data: unknown) => {
      isSpecial = true;
      const [kind, blob] = data as readonly unknown[];
      return new StoredBytes(String(kind), Number(blob));
    },
    [OBJECT_TAG]: (given: unknown) => {
      isSpecial = true;
      const [serializer, data] = given as readonly unknown[];
      return new SerializedObject(String(serializer), data);
    },
  });
  assertBounded(value, { left: MAX_VALUE_LENGTH }, 0);
  if (!isSpecial) return value;
  return restoreObjects(value, { rules, blobs: (form.blobs ?? []).map((hash) => contents.get(hash)!) });
}

/** A platform takes its time for millions of digits. */
function readBigint(digits: unknown): bigint {
  if (typeof digits === "string" && digits.length <= MAX_BIGINT_DIGITS) return BigInt(digits);
  throw new TypeError("A bigint that is never written.");
}

/** In a text of `devalue` a few characters can stand for any size: members that are shared, lists that are mostly holes. */
function assertBounded(value: unknown, budget: { left: number }, depth: number): void {
  budget.left -= typeof value === "string" || Array.isArray(value) ? value.length + 1 : 1;
  if (budget.left < 0 || depth > MAX_VALUE_DEPTH) throw new TypeError("A stored value is larger or deeper than any that is written.");
  if (typeof value !== "object" || value === null) return;
  for (const member of membersOf(value)) assertBounded(member, budget, depth + 1);
}

/** Bytes and dates hold no values. */
function membersOf(value: object): Iterable<unknown> {
  if (Array.isArray(value) || value instanceof Set) return value;
  if (value instanceof Map) return [...value].flat();
  if (value instanceof SerializedObject) return [value.data];
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof StoredBytes ? [] : Object.values(value);
}

interface RestoreOptions {
  readonly rules: ValueRules;
  /** The bytes of the value's blobs. */
  readonly blobs: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Puts bytes and the host's own objects in the places where they belong, in the value itself, which is not shared yet. Its depth and size
 * must have been checked.
 */
function restoreObjects(value: unknown, { rules, blobs }: RestoreOptions): unknown {
  /** What was made out of each object, so that shared ones stay shared. */
  const made = new Map<object, unknown>();
  /** Blobs whose bytes are in the value already: the next one gets bytes of its own. */
  const taken = new Set<Uint8Array>();
  let bytesLeft = MAX_VALUE_BYTES;

  function restore(given: unknown): unknown {
    if (typeof given !== "object" || given === null) return given;
    if (made.has(given)) return made.get(given);
    const result = build(given);
    made.set(given, result);
    // What a serializer made may hold anything, circles too: it is not looked into.
    if (typeof result === "object" && result !== null) made.set(result, result);
    return result;
  }

  function build(given: object): unknown {
    if (given instanceof StoredBytes) return bytesOf(given);
    if (given instanceof SerializedObject) return deserialize(given.serializer, restore(given.data), rules);
    if (given instanceof Map) {
      const entries = [...given].map(([key, item]) => [restore(key), restore(item)] as const);
      given.clear();
      for (const [key, item] of entries) given.set(key, item);
    } else if (given instanceof Set) {
      const items = [...given].map(restore);
      given.clear();
      for (const item of items) given.add(item);
    } else if (!ArrayBuffer.isView(given) && !(given instanceof ArrayBuffer) && !(given instanceof Date)) {
      const members = given as { [key: string]: unknown };
      for (const key of Object.keys(members)) members[key] = restore(members[key]);
    }
    return given;
  }

  function bytesOf({ kind, blob }: StoredBytes): unknown {
    const content = blobs[blob];
    const Kind = BYTE_KINDS.get(kind);
    if (!content || (!Kind && kind !== "ArrayBuffer")) throw new TypeError("Bytes that are never written.");
    if ((bytesLeft -= content.length) < 0) throw new TypeError("A stored value holds more bytes than any that is written.");
    const { buffer } = taken.has(content) || content.byteLength < content.buffer.byteLength ? content.slice() : content;
    taken.add(content);
    return Kind ? new Kind(buffer) : buffer;
  }

  return restore(value);
}

function deserialize(name: string, data: unknown, { serializers }: ValueRules): unknown {
  const serializer = serializers.get(name);
  if (serializer) return serializer.deserialize(data);
  throw new WorkflowError(
    "SERIALIZER_MISSING",
    `A value of the run was stored by serializer "${name}", which this executor does not have. Give it to createExecutor in \`serializers\`; the run was left as it is.`,
    { details: { serializer: name } },
  );
}
