import { FORBIDDEN_KEYS, isRecord } from "../../model/value.ts";
import {
  definitionOf,
  FoldedRun,
  initialState,
  isClosed,
  recountSignals,
  type RunReading,
  type RunState,
  STRETCH,
  StepRecords,
  type Steps,
} from "../../machine/machine.ts";
import type { CompiledWorkflow } from "../../definition/definition.ts";
import type { JournalParts } from "../journal-parts.ts";
import { isCount } from "../entry-shape.ts";
import { areAdded, areRecords, isStateShaped } from "./state-shape.ts";
import { decodeValue } from "../values/rich-values.ts";
import { encodedForm } from "../values/encoded-forms.ts";
import { unreadable } from "../values/read-texts.ts";

/** Members that hold what blocks and people gave: any value, encoded as in the journal. */
const VALUES: ReadonlySet<string> = new Set([
  "inputs",
  "outputs",
  "previousOutputs",
  "response",
  "metadata",
  "carried",
  "channels",
  "held",
  "writes",
  "schema",
  "details",
  "onTimeout",
  "onEvent",
  "value",
  "prefill",
]);
/** Stands in a text that holds such a value. Without the quote before it, which texts are full of, it is found many times as fast. */
const RICH = '~value"';
/** Numbers that one state holds at most, in lists that are packed. */
const MAX_NUMBERS = 10_000_000;

/**
 * A state as JSON, for bases and snapshots, with the length of the values in it. It goes by the kinds of its members and not by their names, so that what is added to a state is
 * kept without a word here. A fork has the state of another run: the id is left out, and so are the steps, which {@link encodeSteps} gives.
 */
export function encodeState({ state, size }: FoldedRun): unknown {
  const { id: _id, records: _records, untaken: _untaken, ends, ...members } = state;
  return pack({ ...members, ends: differences(ends), size }, "");
}

/** The steps of a stretch as JSON. */
export function encodeSteps(records: StepRecords, stretch: number): unknown {
  return pack(records.stretch(stretch), "");
}

/** How far each number is behind the one before: in most runs the same for many in a row. */
function differences(numbers: readonly number[]): Int32Array {
  const steps = new Int32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) steps[i] = numbers[i]! - (numbers[i - 1] ?? 0);
  return steps;
}

/** What {@link differences} came from. */
function sums(steps: Int32Array): number[] {
  const numbers = new Array<number>(steps.length);
  let sum = 0;
  for (let i = 0; i < steps.length; i++) numbers[i] = sum += steps[i]!;
  return numbers;
}

/** Where a state that was kept belongs, and its steps. */
export interface StateFrame {
  readonly id: string;
  /** The definition, without what was added in the run. */
  readonly compiled: CompiledWorkflow;
  /** Those of each stretch as {@link encodeSteps} gave them, or as the text of that, which is read when one of them is needed. */
  readonly steps: readonly unknown[];
}

interface StoredMembers extends Pick<RunState, "started"> {
  readonly size: unknown;
  readonly ends: unknown;
}

/** The state that {@link encodeState} wrote. Throws any error for what it cannot have written. */
export async function decodeState(
  services: JournalParts,
  encoded: unknown,
  { id, compiled: definition, steps }: StateFrame,
): Promise<FoldedRun> {
  const { started, size, ends, ...members } = (await decode(services, encoded)) as StoredMembers;
  if ("id" in members || "records" in members || "untaken" in members || !(ends instanceof Int32Array))
    throw new TypeError("A state as it is never written.");
  const state: RunState = Object.assign(initialState(id, definition, started), members, { ends: sums(ends) });
  if (!areAdded(state.added, definition.plan.ids.length)) throw new TypeError("Blocks that no run has added.");
  if (state.added) await services.loadBlocks(state.added.map(({ block }) => block));
  const plan = new Map([[state.definition, definition]]);
  const compiled = definitionOf(plan, state);
  if (!isCount(size) || !isStateShaped({ compiled, state })) throw new TypeError("A state whose members are not those of a state.");
  const count = Math.ceil(state.blocks.length / STRETCH);
  if (!Array.isArray(steps) || steps.length > count) throw new TypeError("More steps than blocks.");
  const stretches = Array.from({ length: count }, (_, stretch) =>
    decodeSteps(services, { compiled, state }, { stretch, encoded: steps[stretch] ?? [] }),
  );
  state.records = new StepRecords(await Promise.all(stretches));
  recountSignals(state);
  const run = new FoldedRun(plan, state);
  run.size = Number(size);
  if (!isClosed(run)) throw new TypeError("No run of this definition can have this state.");
  return run;
}

interface Stretch {
  readonly stretch: number;
  readonly encoded: unknown;
}

/** The steps of a stretch. A text is read on demand: a run that continues needs few of the steps behind it. */
async function decodeSteps(services: JournalParts, run: RunReading, { stretch, encoded }: Stretch): Promise<Steps | (() => Steps)> {
  const { state } = run;
  // What follows changes both.
  const codes = state.blocks.slice(stretch * STRETCH, (stretch + 1) * STRETCH);
  const last = state.entries - 1;
  const check = (steps: unknown): Steps => {
    if (Array.isArray(steps) && areRecords(steps, codes, run)) return steps as Steps;
    throw new TypeError("Steps that no run has.");
  };
  if (typeof encoded !== "string") return check(await decode(services, encoded));
  // A value that is more than JSON may have to wait for its bytes: it cannot be read on demand.
  if (encoded.includes(RICH)) return check(await decode(services, JSON.parse(encoded)));
  return () => {
    try {
      return check(unpack(JSON.parse(encoded), "", { services, later: [], left: 0 }));
    } catch (cause) {
      throw unreadable(state.id, last, cause);
    }
  };
}

/** What {@link pack} gave, with all values in it decoded. Throws any error for what was never encoded. */
async function decode(services: JournalParts, encoded: unknown): Promise<unknown> {
  const later: Promise<void>[] = [];
  const unpacked = unpack(encoded, "", { services, later, left: MAX_NUMBERS });
  await Promise.all(later);
  return unpacked;
}

/** A part of a state as JSON. */
function pack(value: unknown, key: string): unknown {
  if (VALUES.has(key)) return packValue(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Array.from(value, (item) => pack(item, "") ?? null);
  if (value instanceof Uint8Array) return { "~codes": packRuns(value) };
  if (value instanceof Int32Array) return { "~numbers": packRuns(value) };
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
  /** Numbers that may still come out. */
  left: number;
}

function unpack(value: unknown, key: string, unpacking: Unpacking): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (VALUES.has(key) && !Object.hasOwn(value, "~value")) return value;
  if (Array.isArray(value)) return value.map((item) => (item === null ? undefined : unpack(item, "", unpacking)));
  const members: { [name: string]: unknown } = { ...value };
  for (const name of Object.keys(members)) {
    if (FORBIDDEN_KEYS.has(name)) throw new TypeError("A state with a forbidden key.");
    const member = members[name];
    if (typeof member !== "object" || member === null) continue;
    const collect = COLLECTIONS.get(name);
    if (collect) return collect(member, unpacking);
    if (Object.hasOwn(member, "~value")) {
      const { services, later } = unpacking;
      const form = (member as { readonly "~value": unknown })["~value"];
      later.push(Promise.resolve(decodeValue(form, services)).then((decoded) => void (members[name] = decoded)));
    } else members[name] = unpack(member, name, unpacking);
  }
  return members;
}

/** By the only member of what stands for it: lists of numbers, sets and maps. */
const COLLECTIONS: ReadonlyMap<string, (content: unknown, unpacking: Unpacking) => unknown> = new Map([
  ["~codes", (content: unknown, unpacking: Unpacking): unknown => new Uint8Array(unpackNumbers(content, unpacking))],
  ["~numbers", unpackNumbers],
  ["~set", (content: unknown): unknown => new Set(content as readonly unknown[])],
  [
    "~map",
    (content: unknown, unpacking: Unpacking): unknown =>
      new Map((content as readonly (readonly [unknown, unknown])[]).map(([name, item]) => [name, unpack(item, "", unpacking)])),
  ],
]);

function unpackNumbers(packed: unknown, unpacking: Unpacking): Int32Array {
  const numbers = unpackRuns(packed, unpacking.left);
  unpacking.left -= numbers.length;
  return numbers;
}

/** Numbers as pairs of one and how often it follows itself: most of what is counted for each block is the same for many in a row. */
export function packRuns(numbers: ArrayLike<number>): readonly number[] {
  const runs: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    if (i > 0 && numbers[i] === numbers[i - 1]) runs[runs.length - 1]!++;
    else runs.push(numbers[i]!, 1);
  }
  return runs;
}

/** The numbers that {@link packRuns} packed. Throws any error for what it cannot have given, or gives more than `most` numbers. */
export function unpackRuns(packed: unknown, most: number): Int32Array {
  const runs = packed as readonly number[];
  if (!Array.isArray(packed) || runs.length % 2 !== 0) throw new TypeError("Runs of numbers are a list of pairs.");
  let length = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const count = runs[i + 1]!;
    // Only what a small integer can hold comes out as it went in.
    if (!Number.isSafeInteger(count) || count < 1 || (runs[i]! | 0) !== runs[i]) throw new TypeError("Runs of numbers that are none.");
    length += count;
  }
  if (length > most) throw new TypeError(`${length} numbers, where there are ${most} at most.`);
  const numbers = new Int32Array(length);
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) numbers.fill(runs[i]!, at, (at += runs[i + 1]!));
  return numbers;
}
