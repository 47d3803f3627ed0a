import { checkJsonSchema } from "../../model/check-json-schema.ts";
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
  type UnitKey,
  unitKey,
  type UnitState,
  WAITING,
} from "../../machine/machine.ts";
import { hasEntryMembers, isAddedBlock, isCount, isEntryShaped, isNumber, isReason, isStoredFile, isText } from "../entry-shape.ts";

type Test = (value: unknown, run: RunReading) => boolean;
type Members = { readonly [name: string]: unknown };
type Kept = Exclude<keyof RunState, "id" | "records" | "untaken">;

const isTruth: Test = (value) => typeof value === "boolean";
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
/** An object that has these members, and maybe others. */
const withMembers = (members: { readonly [name: string]: Test }): Test => {
  const tests = Object.entries(members);
  return (value, run) => isRecord(value) && tests.every(([name, test]) => test(value[name], run));
};
const all =
  (...tests: readonly Test[]): Test =>
  (value, run) =>
    tests.every((test) => test(value, run));
const isEntry =
  (type: string): Test =>
  (value) =>
    isRecord(value) && isEntryShaped({ ...value, type });

/** A state has a code and a place for each block: these are looked at in plain loops, since a long run has very many. */
const isCodes: Test = (value) => value instanceof Uint8Array && !value.some((code) => code > OPENED);
const isBlock: Test = (value, { compiled }) => isCount(value) && (value as number) < compiled.plan.ids.length;
const isWave: Test = (value, { state }) => isCount(value) && (value as number) < state.unsettled.length;
const isPlace: Test = (value, { state }) => isCount(value) && (value as number) <= state.entries;
/** Places of which none is before the last. */
const areEnds: Test = (value, { state }) => {
  if (!Array.isArray(value)) return false;
  let last = 0;
  for (const end of value as readonly unknown[]) {
    if (!isCount(end) || (end as number) < last || (end as number) > state.entries) return false;
    last = end as number;
  }
  return true;
};
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
const isHeld: Test = (value) => value !== undefined;
const isDelta = withMembers({ writes: (writes) => isRecord(writes) && Object.values(writes).every(Array.isArray) });
const isSchema: Test = (value) => checkJsonSchema(value).length === 0;
const isProgress = withMembers({
  asked: listOf(isPause),
  sleeper: optional(
    withMembers({ until: optional(isNumber), events: optional(listOf(isText)), signal: optional(isText), schema: optional(isSchema) }),
  ),
  signals: optional(mapOf(isText, withMembers({ asked: isCount, past: isCount }))),
  call: optional(withMembers({ answers: isCount, pause: isPause })),
  loop: optional(withMembers({ past: all(listOf(isStep), (past) => (past as readonly unknown[]).length > 0) })),
  deltas: optional(listOf(optional(isDelta))),
  files: optional(listOf(all(isStoredFile, withMembers({ iteration: isCount })))),
  added: optional(listOf(withMembers({ iteration: isCount, blocks: listOf(isAddedBlock) }))),
  retries: optional(isCount),
  recoveries: optional(isCount),
});
const isCandidate = withMembers({
  code: (code) => isCount(code) && (code as number) <= OPENED,
  record: optional(isStep),
  given: optional(isText),
  progress: isProgress,
  live: listOf(isPause),
});
const isEffect = withMembers({ next: optional(listOf(isText)) });
const UNIT: { readonly [name in Exclude<keyof UnitState, keyof Unit>]: Test } = {
  progress: isProgress,
  turn: isCount,
  candidate: optional(isCandidate),
  former: optional(listOf(optional(isPause))),
  begun: optional(isRecord),
  effect: optional(isEffect),
  memos: optional(mapOf(isText, mapOf(isText, withMembers({ given: isText })))),
  key: optional(withMembers({ given: isText, k: isCount })),
  read: optional((read) => isRecord(read) && Object.values(read).every((hash) => hash === null || isText(hash))),
  caller: optional(withMembers({ workflow: optional(isText), workflows: listOf(isText) })),
  reopened: optional(listOf(withMembers({ cause: isCount, inner: isCount, calls: listOf(isText) }))),
  childEntries: optional(mapOf(isText, isCount)),
  changedAt: optional(isCount),
  formerItems: optional(areItems),
};
/** Of what is known of items, those that there are no more may be among them: a list may become shorter, and a run may move. */
const isUnitState = all(
  withMembers(UNIT),
  (value, run) => isUnitOf(run, value, MAX_ITEMS),
  (value, { state: { pauses } }) => {
    const { progress, ...unit } = value as UnitState;
    const asking = progress.call && pauses[progress.call.pause]!;
    return asking === undefined || (asking.entry.child !== undefined && unitKey(asking) === unitKey(unit));
  },
);

const isUndoing = withMembers({ block: isBlock, of: isBlock, outputs: areOutputs });

/** What each member of a state holds: the compiler sees to it that none is left out. */
const STATE: { readonly [name in Kept]: Test } = {
  started: isEntry("started"),
  definition: isText,
  formerly: listOf(isText),
  waveOf: optional(
    (value, run) => value instanceof Int32Array && isOfBlocks(value, run) && value.every((wave) => wave === -1 || isWave(wave, run)),
  ),
  added: (value, { compiled }) => areAdded(value, compiled.plan.ids.length - ((value as readonly unknown[] | undefined)?.length ?? 0)),
  effectsAhead: optional(mapOf(isText, withMembers({ begun: optional(isRecord), effect: optional(isEffect) }))),
  madeAt: isNumber,
  entries: isCount,
  lastAt: isNumber,
  blocks: all(isCodes, (value, run) => isOfBlocks(value as Uint8Array, run)),
  wave: (value, { state }) => (state.compensation ? value === -1 : isCount(value) && (value as number) <= state.unsettled.length),
  items: mapOf(isBlock, areItems),
  // More waves than blocks there cannot be.
  unsettled: (value, { compiled }) => value instanceof Int32Array && value.length <= compiled.plan.ids.length,
  waiting: mapOf(
    (wave, run) => (run.state.compensation ? wave === -1 : isWave(wave, run)),
    setOf((key, { state }) => state.units.has(key as UnitKey)),
  ),
  supersteps: isCount,
  fatal: (value, run) => value === -1 || isBlock(value, run),
  pauses: (value, run) => Array.isArray(value) && value.every((pause: PauseState, number) => isPauseState(pause, number, run)),
  open: setOf((number, run) => isAsked(number, run) && !run.state.pauses[number as number]!.answer),
  answered: setOf((number, run) => isAsked(number, run) && run.state.pauses[number as number]!.answer !== undefined),
  ends: areEnds,
  round: setOf((key, { state }) => state.units.has(key as UnitKey)),
  units: (value, run) =>
    value instanceof Map && [...(value as RunState["units"])].every(([key, unit]) => isUnitState(unit, run) && unitKey(unit) === key),
  forgottenEnds: setOf(isCount),
  requested: listOf(withMembers({ entries: isPlace, at: isNumber, metadata: isRecord, forgotten: isTruth })),
  revisions: isCount,
  revisedAt: isCount,
  superseded: optional(listOf((stretch) => Array.isArray(stretch) && stretch.length === 2 && stretch.every(isCount))),
  cause: isCount,
  entered: isCount,
  furthest: isCount,
  ran: setOf(isCount),
  settledChannels: mapOf(isText, withMembers({ held: isHeld, changes: isCount })),
  holdsDeltas: isTruth,
  hasFiles: isTruth,
  resources: mapOf(isText, withMembers({ run: isText, blockType: isText, name: isText, count: isCount })),
  done: listOf(withMembers({ block: isText, outputs: areOutputs, before: optional((before) => before === "done" || before === "undone") })),
  compensation: optional(all(isEntry("compensating"), withMembers({ left: listOf(isUndoing), failed: listOf(isText) }))),
  signals: optional(mapOf(isText, withMembers({ name: isText, at: isNumber, place: isCount }))),
  suspension: optional(withMembers({ withCaller: isTruth })),
  finished: optional(isEntry("finished")),
  ownership: isCount,
  transferredTo: optional(isText),
};
const TESTS = Object.entries(STATE) as readonly (readonly [Kept, Test])[];

/** Whether blocks were added as they are, behind so many of the definition: each by one before it. */
export function areAdded(value: unknown, first: number): boolean {
  const isAddedAt = (one: unknown, i: number): boolean =>
    isRecord(one) &&
    isAddedBlock(one["block"]) &&
    isCount(one["by"]) &&
    (one["by"] as number) < first + i &&
    (one["item"] === undefined || isCount(one["item"])) &&
    isCount(one["place"]) &&
    typeof one["isGone"] === "boolean";
  return value === undefined || (Array.isArray(value) && value.every(isAddedAt));
}

/**
 * Whether the members of a state that was stored as a whole are of the kinds that a fold makes, and fit the plan and each other. A
 * tampered store, or an imported file, may hold anything: then it says no, or throws.
 */
export function isStateShaped(run: RunReading): boolean {
  const { state } = run;
  return TESTS.every(([name, test]) => test(state[name], run)) && waitsForSomething(run);
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

/** Whether a question of this number waits for an answer, or for the block to take it. */
function isAsked(number: unknown, run: RunReading): boolean {
  const { state } = run;
  const pause = state.pauses[number as number];
  return pause !== undefined && isUnit(pause, run) && [PAUSED, STOPPED].includes(codeOf(state, pause));
}

const PAUSE = withMembers({
  entry: isEntry("paused"),
  metadata: isRecord,
  forgotten: isTruth,
  withdrawn: isTruth,
  rank: isCount,
  end: isPlace,
  leftAt: optional(isCount),
  leftBy: optional(isText),
  asked: optional(withMembers({ times: isCount, firstAt: isNumber, lastAt: isNumber })),
  refusal: optional(withMembers({ code: isText, message: isText })),
});

function isPauseState(pause: PauseState, number: number, run: RunReading): boolean {
  if (!PAUSE(pause, run)) return false;
  const { block, entry, answer, supersedes, supersededBy } = pause;
  return (
    // Its block may have gone when the run moved to another definition.
    (block === -1 || entry.block === run.compiled.plan.ids[block]) &&
    entry.pause === number &&
    // Askings take the place of earlier ones, so that following them comes to an end.
    (supersedes === undefined || (isCount(supersedes) && supersedes < number)) &&
    (supersededBy === undefined || (isPause(supersededBy, run) && supersededBy > number)) &&
    (answer === undefined || (isEntryShaped({ ...answer, type: "answered", pause: number }) && isCount(answer.place)))
  );
}

/** Whether all that waits is among what waits in its wave, and waits for something. What was stopped with its run may have waited before. */
function waitsForSomething({ compiled, state }: RunReading): boolean {
  const { blocks, items, open, answered, pauses, waiting, units, waveOf = compiled.plan.waveOf } = state;
  const asking = new Set([...open, ...answered].map((number) => unitKey(pauses[number]!)));
  const areNoted = (codes: Uint8Array, unitAt: (index: number) => Unit): boolean => {
    for (const code of [PAUSED, WAITING]) {
      for (let i = codes.indexOf(code); i >= 0; i = codes.indexOf(code, i + 1)) {
        const unit = unitAt(i);
        if (!waiting.get(waveOf[unit.block]!)?.has(unitKey(unit))) return false;
      }
    }
    return true;
  };
  const isAwaited = (wave: number, unit: UnitState): boolean => {
    if (waveOf[unit.block] !== wave) return false;
    const { sleeper, call } = unit.progress;
    const code = codeOf(state, unit);
    if (code === PAUSED) return asking.has(unitKey(unit)) || call !== undefined;
    return code === WAITING ? sleeper !== undefined : code === STOPPED;
  };
  return (
    areNoted(blocks, (block) => ({ block })) &&
    [...items].every(([block, { codes }]) => areNoted(codes, (item) => ({ block, item }))) &&
    [...waiting].every(([wave, keys]) => [...keys].every((key) => isAwaited(wave, units.get(key)!)))
  );
}
