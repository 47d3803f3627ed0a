import { decodeValue, encodeValue } from "../model/encoding.ts";
import { decodeBase64, encodeBase64 } from "../model/base64.ts";
import { FORBIDDEN_KEYS, isRecord } from "../model/value.ts";
import { isClosed } from "./closed-state.ts";
import type { CompiledWorkflow } from "./compile.ts";
import { initialState, type RunState } from "./state.ts";

/** What a state has from elsewhere, or does not outlive the process. */
const LEFT_OUT: ReadonlySet<string> = new Set(["id", "compiled", "scope", "fresh", "base", "spared"]);
/** Members that hold what blocks and people gave: any value, encoded as in the journal. */
const VALUES: ReadonlySet<string> = new Set(["inputs", "outputs", "response", "metadata", "carried", "schema", "details", "onTimeout"]);

/**
 * A state as JSON, for bases and snapshots. It goes by the kinds of its members and not by their names, so that what is added to a state is
 * kept without a word here. Nothing in it changes while the promise is under way: what it reads later is frozen.
 */
export async function encodeState(state: RunState): Promise<unknown> {
  const later: Promise<void>[] = [];
  const packed = Object.entries(state).flatMap(([key, value]): [string, unknown][] =>
    LEFT_OUT.has(key) ? [] : [[key, pack(value, key, later)]],
  );
  await Promise.all(later);
  return Object.fromEntries(packed);
}

/** The state that {@link encodeState} wrote. Throws, whatever, for what it cannot have written. */
export async function decodeState(id: string, compiled: CompiledWorkflow, encoded: unknown): Promise<RunState> {
  const later: Promise<void>[] = [];
  const unpacked = unpack(encoded, "", later) as RunState;
  await Promise.all(later);
  const { started, ...members } = unpacked;
  const state = Object.assign(initialState(id, compiled, started), members);
  if (!isClosed(state)) throw new TypeError("No run of this definition can have this state.");
  return state;
}

function pack(value: unknown, key: string, later: Promise<void>[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (VALUES.has(key)) return packValue(value, later);
  if (Array.isArray(value)) return Array.from(value, (item) => pack(item, "", later) ?? null);
  if (value instanceof Uint8Array) return { "~bytes": encodeBase64(value) };
  if (value instanceof Int32Array) return { "~numbers": [...value] };
  if (value instanceof Set) return { "~set": [...value] };
  if (value instanceof Map) return { "~map": [...value].map(([name, item]) => [name, pack(item, "", later)]) };
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, pack(member, name, later)]));
}

function packValue(value: object, later: Promise<void>[]): unknown {
  const encoded = encodeValue(value, "A value of the run");
  // Anything that would be mistaken for the wrapping is wrapped.
  if (!(encoded instanceof Promise)) return Object.hasOwn(value, "~value") ? { "~value": encoded.encoded } : encoded.encoded;
  const place: { "~value"?: unknown } = {};
  later.push(encoded.then((done) => void (place["~value"] = done.encoded)));
  return place;
}

function unpack(value: unknown, key: string, later: Promise<void>[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (VALUES.has(key) && !Object.hasOwn(value, "~value")) return value;
  if (Array.isArray(value)) return value.map((item) => (item === null ? undefined : unpack(item, "", later)));
  const { "~bytes": bytes, "~numbers": numbers, "~set": set, "~map": map } = value as { readonly [tag: string]: unknown };
  if (typeof bytes === "string") return decodeBase64(bytes);
  if (Array.isArray(numbers)) return Int32Array.from(numbers as number[]);
  if (Array.isArray(set)) return new Set(set);
  if (Array.isArray(map)) return new Map((map as [unknown, unknown][]).map(([name, item]) => [name, unpack(item, "", later)]));
  const members: { [name: string]: unknown } = {};
  for (const [name, member] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(name)) throw new TypeError("A state with a forbidden key.");
    if (isRecord(member) && Object.hasOwn(member, "~value")) {
      later.push(Promise.resolve(decodeValue(member["~value"])).then((decoded) => void (members[name] = decoded)));
    } else members[name] = unpack(member, name, later);
  }
  return members;
}
