import { MAX_ITEMS } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { OPENED, PAUSED, PENDING, STOPPED, WAITING } from "./block-code.ts";
import { isCount, isEntryShaped, isText } from "./entry-shape.ts";
import { codeOf, type PauseState, type RunState } from "./state.ts";
import { unitKey, type Unit } from "./unit.ts";

/**
 * Whether the members of a state that was stored as a whole are of the kinds that a fold makes, and fit the plan and each other. Whoever can write a
 * store, or a file that is imported, can write any.
 */
export function isStateShaped(state: RunState): boolean {
  return hasKinds(state) && hasPlainMembers(state) && hasBlocks(state) && hasPauses(state) && hasUnits(state) && waitsForSomething(state);
}

const MAPS = ["items", "sleepers", "iterations", "retries", "begun", "recoveries", "recheck", "callers"] as const;
const SETS = ["open", "answered", "round", "forgottenEnds", "reviving"] as const;
const LISTS = ["formerly", "pauses", "ends"] as const;

function hasKinds(state: RunState): boolean {
  const { blocks, unsettled, waveOf } = state;
  return (
    MAPS.every((name) => state[name] instanceof Map) &&
    SETS.every((name) => state[name] instanceof Set) &&
    LISTS.every((name) => Array.isArray(state[name])) &&
    blocks instanceof Uint8Array &&
    unsettled instanceof Int32Array &&
    (waveOf === undefined || waveOf instanceof Int32Array) &&
    [...state.items.values()].every(
      (one) => isRecord(one) && Array.isArray(one["keys"]) && one["codes"] instanceof Uint8Array && Array.isArray(one["records"]),
    )
  );
}

function hasPlainMembers(state: RunState): boolean {
  const { started, definition, formerly, entries, size, lastAt, madeAt, supersteps, ownership, transferredTo, finished, revises, ends } =
    state;
  return (
    isEntryShaped({ ...started, type: "started" }) &&
    [definition, ...formerly].every(isText) &&
    [entries, size, supersteps, ownership].every(isCount) &&
    [lastAt, madeAt].every(Number.isFinite) &&
    (transferredTo === undefined || isText(transferredTo)) &&
    (finished === undefined || isEntryShaped({ ...finished, type: "finished" })) &&
    (revises === undefined || (isEntryShaped({ ...revises, type: "revises" }) && isCount(revises.place))) &&
    (state.outputs === undefined || isRecord(state.outputs)) &&
    areEnds(ends, entries) &&
    [...state.forgottenEnds].every(isCount)
  );
}

function areEnds(ends: readonly number[], entries: number): boolean {
  let before = 0;
  for (const end of ends) {
    if (!isCount(end) || end < before || end > entries) return false;
    before = end;
  }
  return true;
}

function hasBlocks({ compiled, blocks, unsettled, wave, fatal, waveOf, items, waiting }: RunState): boolean {
  const count = compiled.plan.ids.length;
  const waves = unsettled.length;
  const open = [...items.values()];
  return (
    blocks.length === count &&
    blocks.every((code) => code <= OPENED) &&
    isCount(wave) &&
    wave <= waves &&
    Number.isSafeInteger(fatal) &&
    fatal >= -1 &&
    fatal < count &&
    // More waves than blocks there cannot be.
    waves <= count &&
    (waveOf === undefined || (waveOf.length === count && waveOf.every((own) => own >= 0 && own < waves))) &&
    [...items.keys()].every((block) => isCount(block) && block < count) &&
    open.every(
      (one) =>
        one.keys.every(isText) &&
        one.codes.length === one.keys.length &&
        one.records.length <= one.keys.length &&
        Object.values(one.records).every(isStepRecord) &&
        isCount(one.left) &&
        one.left <= one.keys.length,
    ) &&
    isWaiting(waiting, [blocks, ...open.map(({ codes }) => codes)])
  );
}

/** What was stopped with its run may have waited before. */
function isWaiting(waiting: number, lists: readonly Uint8Array[]): boolean {
  let least = 0;
  let stopped = 0;
  for (const codes of lists) {
    for (const code of codes) {
      if (code === PAUSED || code === WAITING) least++;
      else if (code === STOPPED) stopped++;
    }
  }
  return isCount(waiting) && waiting >= least && waiting <= least + stopped;
}

/** Whether the records of blocks with these codes are such that are made, and each block that has begun has its own. */
export function areRecords(records: readonly unknown[], codes: Uint8Array): boolean {
  return (
    records.length <= codes.length &&
    codes.every((code, block) => (records[block] === undefined ? code === PENDING : isStepRecord(records[block])))
  );
}

function isStepRecord(record: unknown): boolean {
  if (record === undefined) return true;
  if (!isRecord(record)) return false;
  const { outputs, skipped, attempts, begunAt } = record;
  return (
    isEntryShaped({ ...record, ...(skipped === undefined ? {} : { reason: skipped }) }) &&
    Number.isFinite(record["ms"]) &&
    (outputs === undefined || outputs === null || isRecord(outputs)) &&
    (attempts === undefined || isCount(attempts)) &&
    (begunAt === undefined || Number.isFinite(begunAt))
  );
}

function hasPauses(state: RunState): boolean {
  const { pauses, open, answered, entries } = state;
  const isWellMade = pauses.every((pause, number) => {
    const { entry, answer, metadata, closed, leftAt, forgotten, end, refusal } = pause;
    return (
      (isLeftBehind(pause) || (isUnit(state, pause) && entry.block === state.compiled.plan.ids[pause.block])) &&
      isEntryShaped({ ...entry, type: "paused" }) &&
      entry.pause === number &&
      isRecord(metadata) &&
      typeof closed === "boolean" &&
      typeof forgotten === "boolean" &&
      isCount(end) &&
      end <= entries &&
      (leftAt === undefined || isCount(leftAt)) &&
      (refusal === undefined || (isText(refusal.code) && isText(refusal.message))) &&
      (answer === undefined || (isEntryShaped({ ...answer, type: "answered", pause: number }) && isCount(answer.place)))
    );
  });
  const asks = (number: number): boolean =>
    isCount(number) && number < pauses.length && [PAUSED, STOPPED].includes(codeOf(state, pauses[number]!));
  return (
    isWellMade &&
    [...open].every((number) => asks(number) && !pauses[number]!.closed && !pauses[number]!.answer) &&
    [...answered].every((number) => asks(number) && !pauses[number]!.closed && pauses[number]!.answer !== undefined)
  );
}

/** Its block went when the run moved to another definition. */
function isLeftBehind({ block, closed }: PauseState): boolean {
  return block === -1 && closed;
}

/** Whether everything that waits waits for something. */
function waitsForSomething(state: RunState): boolean {
  const { blocks, items, open, answered, recheck, sleepers, pauses } = state;
  const asking = new Set([...open, ...answered, ...recheck.values()].map((number) => unitKey(pauses[number]!)));
  const isAwaited = (code: number | undefined, unit: Unit): boolean =>
    (code !== PAUSED || asking.has(unitKey(unit))) && (code !== WAITING || sleepers.has(unitKey(unit)));
  return (
    blocks.every((code, block) => (code !== PAUSED && code !== WAITING) || isAwaited(code, { block })) &&
    [...items].every(([block, { codes }]) => codes.every((code, item) => isAwaited(code, { block, item })))
  );
}

function hasUnits(state: RunState): boolean {
  const { sleepers, callers, iterations, retries, begun, recoveries, recheck, round, reviving, pauses } = state;
  const units = [...iterations.keys(), ...retries.keys(), ...begun.keys(), ...recoveries.keys(), ...recheck.keys(), ...round, ...reviving];
  return (
    units.every((key) => isKey(state, key)) &&
    [...sleepers].every(
      ([key, one]) => isNamed(state, key, one) && [WAITING, STOPPED].includes(codeOf(state, one)) && Number.isFinite(one.until),
    ) &&
    // The items that called runs may be gone since the run moved; the runs are not.
    [...callers].every(([key, unit]) => isRecord(unit) && isUnitOf(state, unit, MAX_ITEMS) && unitKey(unit) === key) &&
    [...iterations.values()].every(({ count }) => isCount(count)) &&
    [...retries.values(), ...recoveries.values()].every(isCount) &&
    [...begun.values()].every(isRecord) &&
    [...recheck.values()].every((number) => isCount(number) && number < pauses.length)
  );
}

function isNamed(state: RunState, key: unknown, unit: Unit): boolean {
  return isRecord(unit) && isUnit(state, unit) && unitKey(unit) === key;
}

function isKey(state: RunState, key: unknown): boolean {
  const [, block, item] = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(String(key)) ?? [];
  return block !== undefined && isUnit(state, { block: Number(block), ...(item === undefined ? {} : { item: Number(item) }) });
}

function isUnit(state: RunState, unit: Unit): boolean {
  return isUnitOf(state, unit, state.items.get(unit.block)?.keys.length ?? 0);
}

function isUnitOf({ compiled }: RunState, { block, item }: Unit, items: number): boolean {
  if (!isCount(block) || block >= compiled.plan.ids.length) return false;
  return item === undefined || (isCount(item) && item < items);
}
