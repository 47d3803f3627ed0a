import { decodeBase64, encodeBase64 } from "../model/base64.ts";
import { FORBIDDEN_KEYS, isRecord } from "../model/value.ts";
import { FoldedRun, initialState, isClosed, type RunState, type StepRecord, StepRecords } from "../machine/machine.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { JournalParts } from "./journal-parts.ts";
import { isCount } from "./entry-shape.ts";
import { areRecords, isStateShaped } from "./state-shape.ts";
import { decodeValue } from "./values/decode-value.ts";
import { encodedForm } from "./values/encoded-forms.ts";

/** What a state has from elsewhere: a fork has the state of another run. */
const LEFT_OUT: ReadonlySet<string> = new Set(["id"]);
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
 * A state as JSON, for bases and snapshots, with the length of the values in it. It goes by the kinds of its members and not by their names, so that what is added to a state is
 * kept without a word here.
 */
export function encodeState({ state, size }: FoldedRun, apart: Apart = {}): unknown {
  const kept = Object.entries(state).filter(([key]) => !LEFT_OUT.has(key) && !Object.hasOwn(apart, key));
  return Object.fromEntries([...kept, ["size", size] as const].map(([key, value]) => [key, pack(value, key)]));
}

/** Where a state that was kept belongs, and what was kept apart from it. */
export interface StateFrame {
  readonly id: string;
  readonly compiled: CompiledWorkflow;
  readonly apart?: Apart;
}

/** The state that {@link encodeState} wrote. Throws any error for what it cannot have written. */
export async function decodeState(services: JournalParts, encoded: unknown, { id, compiled, apart }: StateFrame): Promise<FoldedRun> {
  const { started, size, ...members } = (await decodeMembers(services, encoded)) as unknown as RunState & { readonly size: number };
  if (Object.keys(members).some((key) => LEFT_OUT.has(key))) throw new TypeError("A state with members that are never written.");
  const state = Object.assign(initialState(id, compiled, started), members, apart ?? { records: readRecords(members) });
  if (!isCount(size) || !isStateShaped({ compiled, state })) throw new TypeError("A state whose members are not those of a state.");
  const run = new FoldedRun(new Map([[state.definition, compiled]]), state);
  run.size = size;
  if (!isClosed(run)) throw new TypeError("No run of this definition can have this state.");
  return run;
}

/** All records at once, as a base has them. */
function readRecords({ blocks, records }: Pick<RunState, "blocks" | "records">): StepRecords {
  if (!Array.isArray(records) || !areRecords(records, blocks)) throw new TypeError("Records that are none of this state.");
  return new StepRecords(records as (StepRecord | undefined)[]);
}

/** Members with all values in them decoded. Throws any error for what was never encoded. */
export async function decodeMembers(services: JournalParts, encoded: unknown): Promise<{ readonly [name: string]: unknown }> {
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
  readonly services: JournalParts;
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
