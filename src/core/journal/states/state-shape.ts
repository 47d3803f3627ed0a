import { MAX_ITEMS } from "../../model/limits.ts";
import { isRecord } from "../../model/value.ts";
import {
  codeOf,
  OPENED,
  PAUSED,
  type PauseState,
  PENDING,
  type RunReading,
  type RunState,
  STOPPED,
  type Unit,
  unitKey,
  WAITING,
} from "../../machine/machine.ts";
import { hasEntryMembers, isCount, isEntryShaped, isNumber, isReason, isText } from "../entry-shape.ts";

type Test = (value: unknown, run: RunReading) => boolean;
type Members = { readonly [name: string]: unknown };
type Kept = Exclude<keyof RunState, "id" | "records">;

const isTruth: Test = (value) => typeof value === "boolean";
const isAnything: Test = () => true;
const optional =
  (test: Test): Test =>
  (value, run) =>
    value === undefined || test(value, run);
const listOf =
  (test: Test): Test =>
  (value, run) =>
    Array.isArray(value) && value.every((item) => test(item, run));
const setOf =
  (test: Test): Test =>
  (value, run) =>
    value instanceof Set && [...value].every((item) => test(item, run));
const mapOf =
  (isKey: Test, test: Test): Test =>
  (value, run) =>
    value instanceof Map && [...value].every(([key, item]) => isKey(key, run) && test(item, run));
/** An object with these members, and whatever else. */
const withMembers =
  (members: { readonly [name: string]: Test }): Test =>
  (value, run) =>
    isRecord(value) && Object.entries(members).every(([name, test]) => test(value[name], run));
const all =
  (...tests: readonly Test[]): Test =>
  (value, run) =>
    tests.every((test) => test(value, run));
const isEntry =
  (type: string): Test =>
  (value) =>
    isRecord(value) && isEntryShaped({ ...value, type });

const isCodes: Test = (value) => value instanceof Uint8Array && value.every((code) => code <= OPENED);
const isBlock: Test = (value, { compiled }) => isCount(value) && (value as number) < compiled.plan.ids.length;
const isWave: Test = (value, { state }) => isCount(value) && (value as number) < state.unsettled.length;
const isPlace: Test = (value, { state }) => isCount(value) && (value as number) <= state.entries;
const isPause: Test = (value, { state }) => isCount(value) && (value as number) < state.pauses.length;
const areOutputs: Test = (value) => value === undefined || value === null || isRecord(value);
const isStep = all(
  withMembers({ ms: isNumber, outputs: areOutputs, skipped: optional(isReason), attempts: optional(isCount), begunAt: optional(isNumber) }),
  (value) => hasEntryMembers(value as Members),
);
const areItems = all(withMembers({ keys: listOf(isText), codes: isCodes, records: listOf(optional(isStep)), left: isCount }), (value) => {
  const { keys, codes, records, left } = value as { readonly [name in "keys" | "codes" | "records"]: ArrayLike<unknown> } & {
    left: number;
  };
  return codes.length === keys.length && records.length <= keys.length && left <= keys.length;
});
const isUnit: Test = (value, run) => isUnitOf(run, value, run.state.items.get((value as Unit).block)?.keys.length ?? 0);
const isKey: Test = (key, run) => {
  const [, block, item] = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(String(key)) ?? [];
  return block !== undefined && isUnit({ block: Number(block), ...(item === undefined ? {} : { item: Number(item) }) }, run);
};
const isCall = withMembers({ answers: isCount, pause: isPause });
const isSleeper = withMembers({ until: isNumber });
const arePauses = listOf(isPause);

/** What each member of a state holds: the compiler sees to it that none is left out. */
const STATE: { readonly [name in Kept]: Test } = {
  started: isEntry("started"),
  definition: isText,
  formerly: listOf(isText),
  waveOf: optional((value, run) => value instanceof Int32Array && isOfBlocks(value, run) && value.every((wave) => isWave(wave, run))),
  madeAt: isNumber,
  entries: isCount,
  lastAt: isNumber,
  blocks: all(isCodes, (value, run) => isOfBlocks(value as Uint8Array, run)),
  wave: (value, { state }) => isCount(value) && (value as number) <= state.unsettled.length,
  items: mapOf(isBlock, areItems),
  // More waves than blocks there cannot be.
  unsettled: (value, { compiled }) => value instanceof Int32Array && value.length <= compiled.plan.ids.length,
  waiting: mapOf(isWave, isCount),
  sleepers: namedUnits(all(isUnit, isSleeper, (value, { state }) => [WAITING, STOPPED].includes(codeOf(state, value as Unit)))),
  iterations: mapOf(isKey, withMembers({ past: all(listOf(isStep), (past) => (past as readonly unknown[]).length > 0) })),
  supersteps: isCount,
  retries: mapOf(isKey, isCount),
  begun: mapOf(isKey, isRecord),
  recoveries: mapOf(isKey, isCount),
  fatal: (value, run) => value === -1 || isBlock(value, run),
  pauses: (value, run) => Array.isArray(value) && value.every((pause: PauseState, number) => isPauseState(pause, number, run)),
  open: setOf((number, run) => isAsked(number, run) && !run.state.pauses[number as number]!.answer),
  answered: setOf((number, run) => isAsked(number, run) && run.state.pauses[number as number]!.answer !== undefined),
  calls: all(mapOf(isKey, isCall), (value, { state: { pauses } }) =>
    [...(value as RunState["calls"])].every(
      ([key, { pause }]) => pauses[pause]!.entry.child !== undefined && unitKey(pauses[pause]!) === key,
    ),
  ),
  ends: all(listOf(isPlace), (value) => (value as readonly number[]).every((end, i, ends) => end >= (ends[i - 1] ?? 0))),
  round: setOf(isKey),
  forgottenEnds: setOf(isCount),
  // The items that called runs may be gone since the run moved; the runs are not.
  callers: namedUnits((value, run) => isUnitOf(run, value, MAX_ITEMS)),
  reviving: setOf(isKey),
  revisions: isCount,
  revisedAt: isCount,
  cause: isCount,
  entered: isCount,
  turns: mapOf(isAnything, isCount),
  candidates: mapOf(
    isAnything,
    withMembers({
      code: (code) => isCount(code) && (code as number) <= OPENED,
      record: optional(isStep),
      given: optional(isText),
      pauses: arePauses,
      open: arePauses,
      answered: arePauses,
      call: optional(isCall),
      sleeper: optional(isSleeper),
    }),
  ),
  formerItems: mapOf(isAnything, withMembers({ keys: Array.isArray, codes: (codes) => codes instanceof Uint8Array })),
  keys: mapOf(isAnything, withMembers({ given: isText, k: isCount })),
  effects: mapOf(isAnything, isRecord),
  asked: mapOf(isAnything, arePauses),
  former: mapOf(isAnything, listOf(optional(isPause))),
  reopened: mapOf(isAnything, listOf(withMembers({ cause: isCount, inner: isCount, calls: listOf(isText) }))),
  children: mapOf(isAnything, isCount),
  changed: mapOf(isAnything, isCount),
  furthest: isCount,
  ran: setOf(isCount),
  finished: optional(isEntry("finished")),
  outputs: optional(isRecord),
  ownership: isCount,
  transferredTo: optional(isText),
};
const TESTS = Object.entries(STATE) as readonly (readonly [Kept, Test])[];

/**
 * Whether the members of a state that was stored as a whole are of the kinds that a fold makes, and fit the plan and each other. A
 * tampered store, or an imported file, may hold anything: then it says no, or throws.
 */
export function isStateShaped(run: RunReading): boolean {
  const { state } = run;
  return TESTS.every(([name, test]) => test(state[name], run)) && isWaiting(state) && waitsForSomething(state);
}

/** Whether the records of blocks with these codes are such that are made, and each block that has begun has its own. */
export function areRecords(records: readonly unknown[], codes: Uint8Array, run: RunReading): boolean {
  return (
    records.length <= codes.length &&
    codes.every((code, block) => (records[block] === undefined ? code === PENDING : isStep(records[block], run)))
  );
}

function isOfBlocks(list: ArrayLike<unknown>, { compiled }: RunReading): boolean {
  return list.length === compiled.plan.ids.length;
}

function isUnitOf({ compiled }: RunReading, value: unknown, items: number): boolean {
  if (!isRecord(value)) return false;
  const { block, item } = value;
  if (!isCount(block) || (block as number) >= compiled.plan.ids.length) return false;
  return item === undefined || (isCount(item) && (item as number) < items);
}

/** Units under the keys that are theirs. */
function namedUnits(test: Test): Test {
  return (value, run) =>
    value instanceof Map && [...(value as RunState["callers"])].every(([key, unit]) => test(unit, run) && unitKey(unit) === key);
}

/** Whether a question of this number waits for an answer, or for the block to take it. */
function isAsked(number: unknown, { state }: RunReading): boolean {
  const pause = state.pauses[number as number];
  return pause !== undefined && !pause.closed && [PAUSED, STOPPED].includes(codeOf(state, pause));
}

const PAUSE = withMembers({
  entry: isEntry("paused"),
  metadata: isRecord,
  closed: isTruth,
  forgotten: isTruth,
  withdrawn: isTruth,
  rank: isCount,
  end: isPlace,
  leftAt: optional(isCount),
  refusal: optional(withMembers({ code: isText, message: isText })),
});

function isPauseState(pause: PauseState, number: number, run: RunReading): boolean {
  if (!PAUSE(pause, run)) return false;
  const { block, entry, answer, closed, supersedes, supersededBy } = pause;
  // Its block went when the run moved to another definition.
  const isLeftBehind = block === -1 && closed;
  return (
    (isLeftBehind || ((closed || isUnit(pause, run)) && entry.block === run.compiled.plan.ids[block])) &&
    entry.pause === number &&
    // Askings take the place of earlier ones, so that following them comes to an end.
    (supersedes === undefined || (isCount(supersedes) && supersedes < number)) &&
    (supersededBy === undefined || (isPause(supersededBy, run) && supersededBy > number)) &&
    (answer === undefined || (isEntryShaped({ ...answer, type: "answered", pause: number }) && isCount(answer.place)))
  );
}

/** Whether as many wait as are counted. What was stopped with its run may have waited before. */
function isWaiting({ waiting, blocks, items }: RunState): boolean {
  let least = 0;
  let stopped = 0;
  for (const codes of [blocks, ...[...items.values()].map((one) => one.codes)]) {
    for (const code of codes) {
      if (code === PAUSED || code === WAITING) least++;
      else if (code === STOPPED) stopped++;
    }
  }
  const counted = [...waiting.values()].reduce((sum, number) => sum + number, 0);
  return isCount(counted) && counted >= least && counted <= least + stopped;
}

/** Whether everything that waits waits for something. */
function waitsForSomething({ blocks, items, open, answered, calls, sleepers, pauses }: RunState): boolean {
  const asking = new Set([...[...open, ...answered].map((number) => unitKey(pauses[number]!)), ...calls.keys()]);
  const isAwaited = (code: number, unit: Unit): boolean =>
    (code !== PAUSED || asking.has(unitKey(unit))) && (code !== WAITING || sleepers.has(unitKey(unit)));
  return (
    blocks.every((code, block) => (code !== PAUSED && code !== WAITING) || isAwaited(code, { block })) &&
    [...items].every(([block, { codes }]) => codes.every((code, item) => isAwaited(code, { block, item })))
  );
}
