import { parse } from "devalue";
import { richText, type RichForm } from "../../model/encoding.ts";
import { MAX_BIGINT_DIGITS, MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../../model/limits.ts";
import type { ValueRules } from "../../ports/serializer.ts";
import { restoreObjects } from "./restore-objects.ts";
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
