import type { SignalledEntry } from "../model/journal.ts";
import { isSettled } from "./block-status.ts";
import { corrupt } from "./folding.ts";
import { deadlineOf, type RunState, waitingUnits } from "./state.ts";
import { changeUnit, type UnitProgress } from "./unit-state.ts";
import { type Unit, unitKey, type UnitKey } from "./unit.ts";

/** Who gets which of the signals that nothing has taken yet. */
export interface Deliveries {
  /** By the unit that waits. */
  readonly units: ReadonlyMap<UnitKey, string>;
  /** By the number of the question that is ended. */
  readonly pauses: ReadonlyMap<number, string>;
}

const NONE: Deliveries = { units: new Map(), pauses: new Map() };

/** A signal came. The same one again is no other. */
export function foldSignalled(state: RunState, { id, name, value, at }: SignalledEntry): void {
  state.signals ??= new Map();
  if (!state.signals.has(id)) state.signals.set(id, { name, value, at, place: state.entries - 1 });
}

/** A unit goes on with a signal, or its question is ended by it. Throws `RUN_CORRUPT`. */
export function takeSignal(state: RunState, unit: Unit, id: string): void {
  if (!state.signals?.has(id)) throw corrupt(state, "of a signal that did not come");
  const { progress } = changeUnit(state, unit);
  progress.signals ??= new Map();
  if (!progress.signals.has(id)) progress.signals.set(id, { asked: progress.asked.length, past: progress.loop?.past.length ?? 0 });
}

/** Those of the signals of a unit that it had taken when it asked the question at a place in the order of its questions. */
export function signalsBefore({ signals }: UnitProgress, place: number): Pick<UnitProgress, "signals"> {
  const before = [...(signals ?? [])].filter(([, { asked }]) => asked <= place);
  return before.length > 0 ? { signals: new Map(before) } : {};
}

/** Whether nothing else has taken the signals since that a unit had taken. */
export function areFree(state: RunState, { signals }: UnitProgress): boolean {
  if (!signals) return true;
  const { taken } = claimsOf(state);
  return [...signals.keys()].every((id) => !taken.has(id));
}

/**
 * Who gets which signal: the oldest one of a name goes to the first in the order of the plan that waits for it, blocks before questions. One that came
 * after the instant for which something waits as well came too late for that. What a unit had taken before a revision opened it is kept for it.
 */
export function deliver(state: RunState): Deliveries {
  const { signals, open } = state;
  if (!signals) return NONE;
  const sleepers = waitingUnits(state).filter(({ progress: { sleeper }, begun }) => sleeper && (sleeper.events ?? begun?.signal));
  const asking = [...open].filter((number) => state.pauses[number]!.entry.onEvent);
  if (sleepers.length + asking.length === 0) return NONE;
  const { taken, reserved } = claimsOf(state);
  const free = new Map<string, string[]>();
  for (const [id, { name }] of signals) {
    const list = free.get(name);
    if (taken.has(id)) continue;
    if (list) list.push(id);
    else free.set(name, [id]);
  }
  const pick = (events: readonly string[], until: number, key: UnitKey): string | undefined => {
    const fits = (id: string): boolean => signals.get(id)!.at < until && (reserved.get(id) ?? key) === key;
    const found = events.flatMap((name) => free.get(name)?.find(fits) ?? []);
    if (found.length === 0) return undefined;
    const oldest = found.reduce((first, id) => (signals.get(id)!.place < signals.get(first)!.place ? id : first));
    const list = free.get(signals.get(oldest)!.name)!;
    list.splice(list.indexOf(oldest), 1);
    return oldest;
  };
  const units = new Map<UnitKey, string>();
  for (const { block, item, progress, begun } of sleepers.toSorted(byPlan)) {
    const key = unitKey({ block, item });
    const { events = [], until = Infinity } = progress.sleeper!;
    // With this one it was about to be executed, and must not be twice.
    const signal = begun?.signal ?? pick(events, until, key);
    if (signal !== undefined) units.set(key, signal);
  }
  const pauses = new Map<number, string>();
  for (const number of asking.toSorted((a, b) => byPlan(state.pauses[a]!, state.pauses[b]!) || a - b)) {
    const pause = state.pauses[number]!;
    const signal = pick(Object.keys(pause.entry.onEvent!), deadlineOf(state, number) ?? Infinity, unitKey(pause));
    if (signal !== undefined) pauses.set(number, signal);
  }
  return { units, pauses };
}

/** Whether a signal is there for something that waits. */
export function hasDelivery(state: RunState): boolean {
  const { units, pauses } = deliver(state);
  return units.size + pauses.size > 0;
}

function byPlan(a: Unit, b: Unit): number {
  return a.block - b.block || (a.item ?? 0) - (b.item ?? 0);
}

interface Claims {
  readonly taken: ReadonlySet<string>;
  /** What a revision took from a unit that may take it again. */
  readonly reserved: ReadonlyMap<string, UnitKey>;
}

function claimsOf({ units, blocks }: RunState): Claims {
  const taken = new Set<string>();
  const reserved = new Map<string, UnitKey>();
  for (const [key, { block, progress, candidate, begun }] of units) {
    for (const id of progress.signals?.keys() ?? []) taken.add(id);
    if (begun?.signal !== undefined) taken.add(begun.signal);
    if (isSettled(blocks[block]!)) continue;
    for (const id of candidate?.progress.signals?.keys() ?? []) reserved.set(id, key);
  }
  return { taken, reserved };
}
