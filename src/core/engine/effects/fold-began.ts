import type { ErrorCode } from "../../model/errors.ts";
import type { AnsweredEntry, BeganEntry, Entry, RecoveredEntry } from "../../model/journal.ts";
import { OPENED, PAUSED, PENDING, WAITING } from "../block-code.ts";
import { codeOf, type PauseState, type RunState } from "../state.ts";
import { corrupt, unitOf } from "../transition.ts";
import { unitKey, type Unit } from "../unit.ts";

/**
 * Failures that say nothing of what the block did: it was told to stop, or nobody knew. A block that must not run twice is not executed again
 * after them, unless somebody says so.
 */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["BLOCK_TIMEOUT", "PAUSE_DECLINED"]);

/** A block that must not run twice is about to be executed. */
export function foldBegan(state: RunState, entry: BeganEntry): void {
  const unit = unitOf(state, entry);
  const key = unitKey(unit);
  const code = codeOf(state, unit);
  if (code !== PENDING && code !== PAUSED && code !== WAITING) throw corrupt(state, "an execution that is out of its turn");
  const before = state.begun.get(key);
  if (before && !before.isCleared) throw corrupt(state, "a second execution of what must not run twice");
  const sleeper = state.sleepers.get(key);
  const woken = sleeper?.retries ? sleeper.woken : sleeper?.until;
  state.begun.set(key, { pause: entry.pause, woken: woken ?? before?.woken, isCleared: false });
}

/** Another process took the run and found units that may have been executed. */
export function foldRecovered(state: RunState, { at }: RecoveredEntry): void {
  for (const unit of unitsInFlight(state, at)) {
    const key = unitKey(unit);
    state.recoveries.set(key, (state.recoveries.get(key) ?? 0) + 1);
  }
}

/**
 * The units of the wave under way that somebody may be executing at a moment: they have no record, an answer to work on, or their instant came. One
 * that called a workflow waits for it; what is executed again is in there.
 */
export function unitsInFlight(state: RunState, at: number): readonly Unit[] {
  const { compiled, wave, pauses, answered } = state;
  // Who was told that it may be executed again has begun to do so, or not.
  const isWorkedOn = (pause: PauseState): boolean => !pause.entry.about || state.begun.get(unitKey(pause))?.isCleared === false;
  const resumed = [...answered].map((number) => pauses[number]!).filter(isWorkedOn);
  const others = (compiled.plan.waves[wave] ?? []).flatMap((block): readonly Unit[] => {
    if (state.blocks[block] !== OPENED) return [{ block }];
    return [...state.items.get(block)!.codes.keys()].map((item) => ({ block, item }));
  });
  return [...resumed, ...others.filter((unit) => isDue(state, unit, at))].filter((unit) => !state.callers.has(unitKey(unit)));
}

function isDue(state: RunState, unit: Unit, at: number): boolean {
  const code = codeOf(state, unit);
  return code === PENDING || (code === WAITING && state.sleepers.get(unitKey(unit))!.until <= at);
}

/** What was begun has ended once something is recorded of it, unless that leaves open whether it took effect. */
export function noteEnd(state: RunState, entry: Entry): void {
  switch (entry.type) {
    case "answered":
      clear(state, entry);
      break;
    case "paused":
      if (!entry.about) end(state, entry);
      break;
    case "failed":
    case "attempted":
      if (!UNCERTAIN.has(entry.error.code)) end(state, entry);
      break;
    case "reopened":
      state.begun.delete(unitKey(state.pauses[entry.pause]!));
      break;
    case "completed":
    case "skipped":
    case "waiting":
    case "iterated":
      end(state, entry);
  }
}

function end(state: RunState, entry: { readonly block: string; readonly item?: number }): void {
  state.begun.delete(unitKey(unitOf(state, entry)));
}

/** Somebody said what became of it: it is done, it failed, or it may be executed again. */
function clear(state: RunState, { pause: number, action }: AnsweredEntry): void {
  const pause = state.pauses[number]!;
  const key = unitKey(pause);
  const begun = state.begun.get(key);
  if (begun && pause.entry.about && !action) state.begun.set(key, { ...begun, isCleared: true });
}
