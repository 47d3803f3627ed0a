import { decodeBase64, encodeBase64 } from "../model/base64.ts";
import { FORBIDDEN_KEYS, isRecord } from "../model/value.ts";
import { isClosed } from "./closed-state.ts";
import type { CompiledWorkflow } from "./compile.ts";
import { withWaves } from "./definition/align-waves.ts";
import type { Services } from "./services.ts";
import { initialState, type RunState, type StepRecord } from "./state.ts";
import { areRecords, isStateShaped } from "./state-shape.ts";
import { StepRecords } from "./step-records.ts";
import { decodeValue } from "./values/decode-value.ts";
import { encodedForm } from "./values/encoded-forms.ts";

/** What a state has from elsewhere, or does not outlive the process. */
const LEFT_OUT: ReadonlySet<string> = new Set(["id", "compiled", "scope", "fresh", "gone", "base", "spared", "tail", "definitions"]);
/** Members that hold what blocks and people gave: any value, encoded as in the journal. */
const VALUES: ReadonlySet<string> = new Set([
  "inputs",
  "outputs",
  "response",
  "metadata",
  "carried",
  "schema",
  "details",
  "onTimeout",
  "prefill",
]);

/** Members of a state that are kept in another way. */
export type Apart = Partial<Pick<RunState, "records" | "blocks" | "unsettled" | "ends">>;

/**
 * A state as JSON, for bases and snapshots. It goes by the kinds of its members and not by their names, so that what is added to a state is
 * kept without a word here.
 */
export function encodeState(state: RunState, apart: Apart = {}): unknown {
  const kept = Object.entries(state).filter(([key]) => !LEFT_OUT.has(key) && !Object.hasOwn(apart, key));
  return Object.fromEntries(kept.map(([key, value]) => [key, pack(value, key)]));
}

/** Where a state that was kept belongs, and what was kept apart from it. */
export interface StateFrame {
  readonly id: string;
  readonly compiled: CompiledWorkflow;
  readonly apart?: Apart;
}

/** The state that {@link encodeState} wrote. Throws, whatever, for what it cannot have written. */
export async function decodeState(services: Services, encoded: unknown, { id, compiled, apart }: StateFrame): Promise<RunState> {
  const { started, ...members } = (await decodeMembers(services, encoded)) as unknown as RunState;
  if (Object.keys(members).some((key) => LEFT_OUT.has(key))) throw new TypeError("A state with members that are never written.");
  const state = Object.assign(initialState(id, compiled, started), members, apart ?? { records: readRecords(members) });
  if (!isStateShaped(state)) throw new TypeError("A state whose members are not those of a state.");
  if (state.waveOf) state.compiled = withWaves(compiled, state.waveOf);
  if (!isClosed(state)) throw new TypeError("No run of this definition can have this state.");
  return state;
}

/** All records at once, as a base has them. */
function readRecords({ blocks, records }: Pick<RunState, "blocks" | "records">): StepRecords {
  if (!Array.isArray(records) || !areRecords(records, blocks)) throw new TypeError("Records that are none of this state.");
  return new StepRecords(records as (StepRecord | undefined)[]);
}

/** Members with all values in them decoded. Throws, whatever, for what was never encoded. */
export async function decodeMembers(services: Services, encoded: unknown): Promise<{ readonly [name: string]: unknown }> {
  const later: Promise<void>[] = [];
  const unpacked = unpack(encoded, "", { services, later });
  await Promise.all(later);
  return unpacked as { readonly [name: string]: unknown };
}

/** A member of a state, or a part of one, as JSON. */
export function pack(value: unknown, key: string): unknown {
  if (VALUES.has(key)) return packValue(value);
  if (typeof value !== "object" || value === null) return value;
  if (key === "answers") return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, { "~value": encodedForm(item) }]));
  if (Array.isArray(value)) return Array.from(value, (item) => pack(item, "") ?? null);
  if (value instanceof StepRecords) return pack(value.all(), key);
  if (value instanceof Uint8Array) return { "~bytes": encodeBase64(value) };
  if (value instanceof Int32Array) return { "~numbers": [...value] };
  if (value instanceof Set) return { "~set": [...value] };
  if (value instanceof Map) return { "~map": [...value].map(([name, item]) => [name, pack(item, "")]) };
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, pack(member, name)]));
}

function packValue(value: unknown): unknown {
  const form = encodedForm(value);
  // Anything that would be mistaken for the wrapping is wrapped.
  return form !== value || (isRecord(value) && Object.hasOwn(value, "~value")) ? { "~value": form } : value;
}

interface Unpacking {
  readonly services: Services;
  readonly later: Promise<void>[];
}

function unpack(value: unknown, key: string, unpacking: Unpacking): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (VALUES.has(key) && !Object.hasOwn(value, "~value")) return value;
  if (Array.isArray(value)) return value.map((item) => (item === null ? undefined : unpack(item, "", unpacking)));
  const { "~bytes": bytes, "~numbers": numbers, "~set": set, "~map": map } = value as { readonly [tag: string]: unknown };
  if (typeof bytes === "string") return decodeBase64(bytes);
  if (Array.isArray(numbers)) return Int32Array.from(numbers as number[]);
  if (Array.isArray(set)) return new Set(set);
  if (Array.isArray(map)) return new Map((map as [unknown, unknown][]).map(([name, item]) => [name, unpack(item, "", unpacking)]));
  const members: { [name: string]: unknown } = {};
  for (const [name, member] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(name)) throw new TypeError("A state with a forbidden key.");
    if (isRecord(member) && Object.hasOwn(member, "~value")) {
      const { services, later } = unpacking;
      later.push(Promise.resolve(decodeValue(member["~value"], services)).then((decoded) => void (members[name] = decoded)));
    } else members[name] = unpack(member, name, unpacking);
  }
  return members;
}
