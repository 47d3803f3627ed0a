import type { ErrorCode } from "../model/errors.ts";
import type { AnsweredEntry, BeganEntry, Entry, RecoveredEntry } from "../model/journal.ts";
import { isRecord } from "../model/value.ts";
import { OPENED, PAUSED, PENDING, WAITING } from "./block-status.ts";
import type { Folding } from "./fold-context.ts";
import { noteGiven } from "./open-units.ts";
import { type PauseState, type RunReading, type RunState, codeOf } from "./state.ts";
import { corrupt, unitOf } from "./turns.ts";
import { unitKey, type Unit } from "./unit.ts";

/**
 * Failures that say nothing of what the block did: it was asked to stop, or the outcome is unknown. A block that must not run twice is not
 * executed again after them, unless a person says so.
 */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["BLOCK_TIMEOUT", "PAUSE_DECLINED"]);

/** A block with an effect is about to be executed. */
export function foldBegan(folding: Folding, entry: BeganEntry): void {
  const { state } = folding;
  const unit = unitOf(folding, entry);
  const key = unitKey(unit);
  const code = codeOf(state, unit);
  if (code !== PENDING && code !== PAUSED && code !== WAITING) throw corrupt(state, "an execution that is out of its turn");
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  if (entry.repeats) return;
  const before = state.begun.get(key);
  if (before && !before.isCleared) throw corrupt(state, "a second execution of what must not run twice");
  const sleeper = state.sleepers.get(key);
  const woken = sleeper?.retries ? sleeper.woken : sleeper?.until;
  const given = entry.given === undefined ? undefined : { given: entry.given };
  state.begun.set(key, { pause: entry.pause, woken: woken ?? before?.woken, ...given, isCleared: false });
}

/** Another process took the run and found units that may have been executed. */
export function foldRecovered(folding: Folding, { at }: RecoveredEntry): void {
  const { recoveries } = folding.state;
  for (const unit of unitsInFlight(folding, at)) {
    const key = unitKey(unit);
    recoveries.set(key, (recoveries.get(key) ?? 0) + 1);
  }
}

/**
 * The units of the current wave that a process may be executing at a moment: they have no record, an answer to work on, or their instant
 * came. A unit that called a workflow waits for it; what is executed again is in there.
 */
export function unitsInFlight({ compiled, state }: RunReading, at: number): readonly Unit[] {
  const { wave, pauses, answered } = state;
  // A unit that was cleared to run again has begun to do so, or not.
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
export function noteEnd(folding: Folding, entry: Entry): void {
  const { state } = folding;
  switch (entry.type) {
    case "answered":
      clear(state, entry);
      break;
    case "paused":
      if (!entry.about) end(folding, entry);
      break;
    case "failed":
    case "attempted":
      if (!UNCERTAIN.has(entry.error.code)) end(folding, entry);
      break;
    case "reopened":
      state.begun.delete(unitKey(state.pauses[entry.pause]!));
      break;
    case "completed":
    case "skipped":
    case "waiting":
    case "iterated":
      end(folding, entry);
  }
}

function end(folding: Folding, entry: { readonly block: string; readonly item?: number }): void {
  folding.state.begun.delete(unitKey(unitOf(folding, entry)));
}

/** A person said what became of it: it is done, it failed, or it may be executed again. */
function clear(state: RunState, { pause: number, action }: AnsweredEntry): void {
  const pause = state.pauses[number]!;
  const key = unitKey(pause);
  const begun = state.begun.get(key);
  const outcome = isRecord(pause.answer?.response) ? pause.answer.response["outcome"] : undefined;
  // What ran may run again, with what it is given now.
  if (pause.entry.about === "repetition" && !action && outcome === "again") state.effects.delete(key);
  if (begun && pause.entry.about && !action) state.begun.set(key, { ...begun, isCleared: true });
}
