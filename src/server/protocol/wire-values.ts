import { decodeBase64, encodeBase64 } from "../../core/model/base64.ts";
import { BYTE_KINDS } from "../../core/model/byte-kinds.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import { MAX_BIGINT_DIGITS, MAX_VALUE_DEPTH } from "../../core/model/limits.ts";
import { FORBIDDEN_KEYS } from "../../core/model/value.ts";

/** The member of an object that stands for a value JSON cannot hold: `{ "~": ["Date", "2026-11-24T00:00:00.000Z"] }`. */
const TAG = "~";

type Tagged = readonly [kind: string, content?: unknown];

/**
 * Returns a value as the JSON that a server and its clients exchange. Plain JSON stays as it is. Objects of other classes become their own members; functions
 * and symbols are left out. Throws `VALUE_UNSERIALIZABLE` for a value that is nested too deeply, such as a circle.
 */
export function encodeWire(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : tagged("Number", Object.is(value, -0) ? "-0" : String(value));
    case "bigint":
      return tagged("BigInt", String(value));
    case "undefined":
    case "function":
    case "symbol":
      return tagged("Undefined");
    case "object":
      return value === null ? null : encodeObject(value, depth);
    default:
      return value;
  }
}

function tagged(kind: string, content?: unknown): { readonly [TAG]: Tagged } {
  return { [TAG]: content === undefined ? [kind] : [kind, content] };
}

function encodeObject(value: object, depth: number): unknown {
  if (depth > MAX_VALUE_DEPTH) {
    throw new WorkflowError(
      "VALUE_UNSERIALIZABLE",
      `A value is deeper than ${MAX_VALUE_DEPTH} levels, or leads back to itself. Give a flat one.`,
    );
  }
  const inner = (part: unknown): unknown => encodeWire(part, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return tagged("Date", Number.isNaN(value.getTime()) ? null : value.toISOString());
  if (value instanceof Map)
    return tagged(
      "Map",
      [...value].map((entry) => entry.map(inner)),
    );
  if (value instanceof Set) return tagged("Set", [...value].map(inner));
  if (value instanceof ArrayBuffer) return tagged("ArrayBuffer", encodeBase64(new Uint8Array(value)));
  if (ArrayBuffer.isView(value)) return encodeView(value);
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== "function" && typeof member !== "symbol") members.push([key, inner(member)]);
  }
  const plain = Object.fromEntries(members);
  return Object.hasOwn(plain, TAG) ? tagged("Object", plain) : plain;
}

function encodeView(view: ArrayBufferView): unknown {
  const kind = (view as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? "Uint8Array";
  return tagged(kind, encodeBase64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
}

/** Returns the value that a piece of JSON stands for. Throws `VALUE_UNSERIALIZABLE` for JSON that {@link encodeWire} never makes. */
export function decodeWire(json: unknown, depth = 0): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (depth > MAX_VALUE_DEPTH) throw unreadable(`deeper than ${MAX_VALUE_DEPTH} levels`);
  if (Array.isArray(json)) return json.map((item) => decodeWire(item, depth + 1));
  if (Object.hasOwn(json, TAG)) return decodeTagged((json as { readonly [TAG]: unknown })[TAG], depth);
  return decodeMembers(json, depth);
}

function decodeMembers(json: object, depth: number): object {
  const members = Object.entries(json);
  const forbidden = members.find(([key]) => FORBIDDEN_KEYS.has(key));
  if (forbidden) throw unreadable(`a member called ${forbidden[0]}`);
  return Object.fromEntries(members.map(([key, member]) => [key, decodeWire(member, depth + 1)]));
}

function decodeTagged(given: unknown, depth: number): unknown {
  const [kind, content] = Array.isArray(given) ? (given as unknown as Tagged) : ["nothing"];
  const items = (): readonly unknown[] => (Array.isArray(content) ? (content as readonly unknown[]) : fail(kind));
  const inner = (part: unknown): unknown => decodeWire(part, depth + 1);
  switch (kind) {
    case "Undefined":
      return undefined;
    case "Number":
      return /^(?:NaN|-?Infinity|-0)$/.test(String(content)) ? Number(content) : fail(kind);
    case "BigInt":
      return typeof content === "string" && content.length <= MAX_BIGINT_DIGITS && /^-?\d+$/.test(content) ? BigInt(content) : fail(kind);
    case "Date":
      return typeof content === "string" || content === null ? new Date(content ?? Number.NaN) : fail(kind);
    case "Map":
      return new Map(
        items().map((entry) => (Array.isArray(entry) && entry.length === 2 ? [inner(entry[0]), inner(entry[1])] : fail(kind))),
      );
    case "Set":
      return new Set(items().map(inner));
    case "Object":
      return typeof content === "object" && content !== null ? decodeMembers(content, depth) : fail(kind);
    default:
      return decodeBytes(kind, content);
  }
}

function decodeBytes(kind: string, content: unknown): unknown {
  const bytes = typeof content === "string" ? decodeBase64(content) : undefined;
  const Kind = BYTE_KINDS.get(kind);
  if (!bytes || (!Kind && kind !== "ArrayBuffer")) return fail(kind);
  try {
    return Kind ? new Kind(bytes.buffer) : bytes.buffer;
  } catch {
    // Of numbers of several bytes, there is half a one.
    return fail(kind);
  }
}

function fail(kind: string): never {
  throw unreadable(`no ${String(kind).slice(0, 40)}`);
}

function unreadable(what: string): WorkflowError {
  return new WorkflowError("VALUE_UNSERIALIZABLE", `A value that came over the network cannot be read: it holds ${what}.`);
}
