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
  type UnitKey,
  WAITING,
} from "../../machine/machine.ts";
import { hasEntryMembers, isCount, isEntryShaped, isReason, isText } from "../entry-shape.ts";

/**
 * Whether the members of a state that was stored as a whole are of the kinds that a fold makes, and fit the plan and each other. A
 * tampered store, or an imported file, may hold anything.
 */
export function isStateShaped(run: RunReading): boolean {
  const { state } = run;
  return hasKinds(state) && hasPlainMembers(state) && hasBlocks(run) && hasPauses(run) && hasUnits(run) && waitsForSomething(state);
}

const MAPS = ["items", "sleepers", "iterations", "retries", "begun", "recoveries", "calls", "callers", "waiting"] as const;
/** What revisions leave. */
const REVISED = ["turns", "candidates", "formerItems", "keys", "effects", "asked", "former", "reopened", "children", "changed"] as const;
const SETS = ["open", "answered", "round", "forgottenEnds", "reviving", "ran"] as const;
const LISTS = ["formerly", "pauses", "ends"] as const;

function hasKinds(state: RunState): boolean {
  const { blocks, unsettled, waveOf } = state;
  return (
    [...MAPS, ...REVISED].every((name) => state[name] instanceof Map) &&
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
  const { started, definition, formerly, entries, lastAt, madeAt, supersteps, ownership, transferredTo, finished, ends } = state;
  const { revisions, revisedAt, cause, entered, furthest } = state;
  return (
    isEntryShaped({ ...started, type: "started" }) &&
    [definition, ...formerly].every(isText) &&
    [entries, supersteps, ownership, revisions, revisedAt, cause, entered, furthest].every(isCount) &&
    [lastAt, madeAt].every(Number.isFinite) &&
    (transferredTo === undefined || isText(transferredTo)) &&
    (finished === undefined || isEntryShaped({ ...finished, type: "finished" })) &&
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

function hasBlocks({ compiled, state }: RunReading): boolean {
  const { blocks, unsettled, wave, fatal, waveOf, items, waiting } = state;
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
    [...waiting].every(([of, number]) => isCount(of) && of < waves && isCount(number)) &&
    isWaiting(
      [...waiting.values()].reduce((sum, number) => sum + number, 0),
      [blocks, ...open.map(({ codes }) => codes)],
    )
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
    hasEntryMembers(record) &&
    (skipped === undefined || isReason(skipped)) &&
    Number.isFinite(record["ms"]) &&
    (outputs === undefined || outputs === null || isRecord(outputs)) &&
    (attempts === undefined || isCount(attempts)) &&
    (begunAt === undefined || Number.isFinite(begunAt))
  );
}

function hasPauses(run: RunReading): boolean {
  const { compiled, state } = run;
  const { pauses, open, answered, entries } = state;
  const isWellMade = pauses.every((pause, number) => {
    const { entry, answer, metadata, closed, leftAt, forgotten, end, refusal, withdrawn, rank, supersedes, supersededBy } = pause;
    return (
      (isLeftBehind(pause) || ((isUnit(run, pause) || closed) && entry.block === compiled.plan.ids[pause.block])) &&
      isEntryShaped({ ...entry, type: "paused" }) &&
      entry.pause === number &&
      isRecord(metadata) &&
      typeof closed === "boolean" &&
      typeof forgotten === "boolean" &&
      typeof withdrawn === "boolean" &&
      isCount(rank) &&
      // Askings take the place of earlier ones, so that following them comes to an end.
      (supersedes === undefined || (isCount(supersedes) && supersedes < number)) &&
      (supersededBy === undefined || (isCount(supersededBy) && supersededBy > number && supersededBy < pauses.length)) &&
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
  const { blocks, items, open, answered, calls, sleepers, pauses } = state;
  const asking = new Set([...[...open, ...answered].map((number) => unitKey(pauses[number]!)), ...calls.keys()]);
  const isAwaited = (code: number | undefined, unit: Unit): boolean =>
    (code !== PAUSED || asking.has(unitKey(unit))) && (code !== WAITING || sleepers.has(unitKey(unit)));
  return (
    blocks.every((code, block) => (code !== PAUSED && code !== WAITING) || isAwaited(code, { block })) &&
    [...items].every(([block, { codes }]) => codes.every((code, item) => isAwaited(code, { block, item })))
  );
}

function hasUnits(run: RunReading): boolean {
  const { state } = run;
  const { sleepers, callers, iterations, retries, begun, recoveries, calls, round, reviving, pauses } = state;
  const isAsking = (number: unknown): boolean => isCount(number) && (number as number) < pauses.length;
  const units = [...iterations.keys(), ...retries.keys(), ...begun.keys(), ...recoveries.keys(), ...calls.keys(), ...round, ...reviving];
  return (
    units.every((key) => isKey(run, key)) &&
    [...sleepers].every(
      ([key, one]) => isNamed(run, key, one) && [WAITING, STOPPED].includes(codeOf(state, one)) && Number.isFinite(one.until),
    ) &&
    // The items that called runs may be gone since the run moved; the runs are not.
    [...callers].every(([key, unit]) => isRecord(unit) && isUnitOf(run, unit, MAX_ITEMS) && unitKey(unit) === key) &&
    [...iterations.values()].every(
      ({ past }) => Array.isArray(past) && past.length > 0 && past.every(isRecord) && past.every(isStepRecord),
    ) &&
    [...retries.values(), ...recoveries.values()].every(isCount) &&
    [...begun.values()].every(isRecord) &&
    [...calls].every(([key, call]) => isRecord(call) && isCount(call.answers) && isCall(pauses[call.pause], key)) &&
    [...state.turns.values(), ...state.children.values(), ...state.changed.values(), ...state.ran].every(isCount) &&
    [...state.asked.values(), ...state.former.values()].every((numbers) => Array.isArray(numbers) && numbers.every(isAsking)) &&
    [...state.keys.values()].every((one) => isRecord(one) && isText(one["given"]) && isCount(one["k"])) &&
    [...state.effects.values()].every(isRecord) &&
    [...state.reopened.values()].every((list) => Array.isArray(list) && list.every(isReopening)) &&
    [...state.formerItems.values()].every((one) => isRecord(one) && Array.isArray(one["keys"]) && one["codes"] instanceof Uint8Array) &&
    [...state.candidates.values()].every((one) => isCandidate(one, isAsking))
  );
}

function isReopening(value: unknown): boolean {
  return (
    isRecord(value) && isCount(value["cause"]) && isCount(value["inner"]) && Array.isArray(value["calls"]) && value["calls"].every(isText)
  );
}

function isCandidate(value: unknown, isAsking: (number: unknown) => boolean): boolean {
  if (!isRecord(value)) return false;
  const { code, record, given, pauses, open, answered, call, sleeper } = value;
  return (
    isCount(code) &&
    (code as number) <= OPENED &&
    isStepRecord(record) &&
    (given === undefined || isText(given)) &&
    [pauses, open, answered].every((numbers) => Array.isArray(numbers) && numbers.every(isAsking)) &&
    (call === undefined || (isRecord(call) && isCount(call["answers"]) && isAsking(call["pause"]))) &&
    (sleeper === undefined || (isRecord(sleeper) && Number.isFinite(sleeper["until"])))
  );
}

function isCall(pause: PauseState | undefined, key: UnitKey): boolean {
  return pause?.entry.child !== undefined && unitKey(pause) === key;
}

function isNamed(run: RunReading, key: unknown, unit: Unit): boolean {
  return isRecord(unit) && isUnit(run, unit) && unitKey(unit) === key;
}

function isKey(run: RunReading, key: unknown): boolean {
  const [, block, item] = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(String(key)) ?? [];
  return block !== undefined && isUnit(run, { block: Number(block), ...(item === undefined ? {} : { item: Number(item) }) });
}

function isUnit(run: RunReading, unit: Unit): boolean {
  return isUnitOf(run, unit, run.state.items.get(unit.block)?.keys.length ?? 0);
}

function isUnitOf({ compiled }: RunReading, { block, item }: Unit, items: number): boolean {
  if (!isCount(block) || block >= compiled.plan.ids.length) return false;
  return item === undefined || (isCount(item) && item < items);
}
