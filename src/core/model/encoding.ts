import { WorkflowError } from "./errors.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "./limits.ts";
import { FORBIDDEN_KEYS } from "./value.ts";

/** The only member of the object that stands for a value JSON cannot hold. */
const RICH = "~";

/** A value ready for the journal, and the copy of it that the run keeps: frozen, so that nobody changes the past. */
export interface Encoded {
  readonly encoded: unknown;
  readonly value: unknown;
}

/**
 * Encodes a value for the journal: plain JSON stays as it is; what JSON lacks (dates, maps, sets, bigints, bytes, undefined, NaN, -0) is
 * written by `devalue`, loaded only then. Functions, symbols, class instances, cycles and forbidden keys throw `VALUE_UNSERIALIZABLE`
 * with the path to the value. Gives a promise only for values that are not plain.
 */
export function encodeValue(value: unknown, what: string): Encoded | Promise<Encoded> {
  const walk: Walk = { rich: false, what };
  const copy = copyPlain(value, walk, 0, undefined);
  if (!walk.rich && !looksRich(copy)) return { encoded: copy, value: copy };
  return encodeRich(value);
}

/**
 * Decodes what {@link encodeValue} wrote. Gives a promise only for values that are not plain JSON; it rejects for what was never encoded:
 * a store may hold what somebody else wrote.
 */
export function decodeValue(encoded: unknown): unknown {
  return looksRich(encoded) ? decodeRich(encoded[RICH]) : encoded;
}

async function encodeRich(value: unknown): Promise<Encoded> {
  const { parse, stringify } = await import("devalue");
  const text = stringify(value);
  return { encoded: wrapRich(text), value: parse(text) };
}

/** The encoded form of a value that `devalue` has written. */
export function wrapRich(text: string): unknown {
  return { [RICH]: text };
}

async function decodeRich(text: string): Promise<unknown> {
  const { parse } = await import("devalue");
  const value: unknown = parse(text, NEVER_WRITTEN);
  assertBounded(value, { left: MAX_VALUE_LENGTH }, 0);
  return value;
}

/** What `devalue` can read and {@link encodeValue} refuses to write: regular expressions, addresses and the like. */
const NEVER_WRITTEN: { readonly [type: string]: () => never } = Object.fromEntries(
  ["RegExp", "URL", "URLSearchParams", "Object"].map((type) => [
    type,
    () => {
      throw new TypeError(`No value of the type ${type} is ever stored.`);
    },
  ]),
);

/** In a text of `devalue` a few characters can stand for any size: members that are shared, lists that are mostly holes. */
function assertBounded(value: unknown, budget: { left: number }, depth: number): void {
  budget.left -= typeof value === "string" || Array.isArray(value) ? value.length + 1 : 1;
  if (budget.left < 0 || depth > MAX_VALUE_DEPTH) throw new TypeError("A stored value is larger or deeper than any that is written.");
  if (typeof value !== "object" || value === null) return;
  const members = Array.isArray(value) || value instanceof Set ? value : value instanceof Map ? [...value].flat() : membersOf(value);
  for (const member of members) assertBounded(member, budget, depth + 1);
}

/** Of plain objects; bytes and dates hold no values. */
function membersOf(value: object): readonly unknown[] {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? [] : Object.values(value);
}

function looksRich(value: unknown): value is { readonly [RICH]: string } {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, RICH)) return false;
  return typeof (value as { [RICH]?: unknown })[RICH] === "string" && Object.keys(value).length === 1;
}

interface Walk {
  rich: boolean;
  readonly what: string;
}

/** Where the walk stands, linked upwards: the path is only written out for an error. */
interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
  readonly holder: object;
}

function copyPlain(value: unknown, walk: Walk, depth: number, place: Place | undefined): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value) || Object.is(value, -0)) walk.rich = true;
      return value;
    case "undefined":
    case "bigint":
      walk.rich = true;
      return value;
    case "object":
      return value === null ? null : copyObject(value, walk, depth, place);
    default:
      throw refused(walk, place, `a ${typeof value}`);
  }
}

function copyObject(value: object, walk: Walk, depth: number, place: Place | undefined): unknown {
  if (depth >= MAX_VALUE_DEPTH) {
    throw new WorkflowError("LIMIT_EXCEEDED", `${walk.what} is nested deeper than ${MAX_VALUE_DEPTH} levels. Make it flatter.`);
  }
  for (let up = place; up; up = up.up) if (up.holder === value) throw refused(walk, place, "a cycle");
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (let i = 0; i < value.length; i++) copy.push(copyPlain(value[i], walk, depth + 1, { up: place, key: i, holder: value }));
    return Object.freeze(copy);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return copySpecial(value, walk, depth, place);
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw refused(walk, { up: place, key, holder: value }, "a forbidden key");
    copy[key] = copyPlain((value as { readonly [key: string]: unknown })[key], walk, depth + 1, { up: place, key, holder: value });
  }
  return Object.freeze(copy);
}

/** Dates, maps, sets and bytes are kept by the rich encoding; their contents obey the same rules. */
function copySpecial(value: object, walk: Walk, depth: number, place: Place | undefined): unknown {
  walk.rich = true;
  if (value instanceof Date || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value;
  if (value instanceof Map) {
    let i = 0;
    for (const [key, item] of value) {
      copyPlain(key, walk, depth + 1, { up: place, key: `key ${i}`, holder: value });
      copyPlain(item, walk, depth + 1, { up: place, key: i++, holder: value });
    }
    return value;
  }
  if (value instanceof Set) {
    let i = 0;
    for (const item of value) copyPlain(item, walk, depth + 1, { up: place, key: i++, holder: value });
    return value;
  }
  throw refused(walk, place, `an instance of ${value.constructor.name || "a class"}`);
}

function refused(walk: Walk, place: Place | undefined, what: string): WorkflowError {
  const keys: string[] = [];
  for (let up = place; up; up = up.up) keys.unshift(typeof up.key === "number" ? `[${up.key}]` : `.${up.key}`);
  const path = keys.join("").replace(/^\./, "");
  return new WorkflowError(
    "VALUE_UNSERIALIZABLE",
    `${walk.what} holds ${what}${path ? ` at "${path}"` : ""}, which cannot be stored. Return plain data: text, numbers, lists, objects, dates, maps, sets or bytes.`,
    path ? { place: { path } } : {},
  );
}
