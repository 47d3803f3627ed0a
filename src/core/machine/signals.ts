import type { JsonSchema } from "../model/json-schema.ts";
import type { SignalledEntry } from "../model/journal.ts";
import { isSettled } from "./block-status.ts";
import { corrupt } from "./folding.ts";
import { deadlineOf, type RunState, waitingUnits } from "./state.ts";
import { changeUnit, type UnitProgress } from "./unit-state.ts";
import { type Unit, unitKey, type UnitKey } from "./unit.ts";

/** Which waiting unit or question gets which free signal. */
export interface Deliveries {
  /** By the unit that waits. */
  readonly units: ReadonlyMap<UnitKey, string>;
  /** By the number of the question that is ended. */
  readonly pauses: ReadonlyMap<number, string>;
}

const NONE: Deliveries = { units: new Map(), pauses: new Map() };

/** Folds a signal. The same one again changes nothing. */
export function foldSignalled(state: RunState, { id, name, value, at }: SignalledEntry): void {
  state.signals ??= new Map();
  if (state.signals.has(id)) return;
  state.signals.set(id, { name, value, at, place: state.entries - 1 });
  addUntaken(state, id, name);
}

/** Folds that a unit continues with a signal, or that the signal ends its question. Throws `RUN_CORRUPT`. */
export function takeSignal(state: RunState, unit: Unit, id: string): void {
  reserveSignal(state, id);
  const { progress } = changeUnit(state, unit);
  progress.signals ??= new Map();
  if (!progress.signals.has(id)) progress.signals.set(id, { asked: progress.asked.length, past: progress.loop?.past.length ?? 0 });
}

/** Folds that a unit is about to execute with a signal: nothing else gets it. Throws `RUN_CORRUPT`. */
export function reserveSignal(state: RunState, id: string): void {
  const signal = state.signals?.get(id);
  if (!signal) throw corrupt(state, "of a signal that did not come");
  state.untaken?.get(signal.name)?.delete(id);
}

/**
 * Finds the free signals by looking at all units. Used after entries that take something back. Other entries keep the list up to date, so that their cost
 * does not grow with the number of signals.
 */
export function recountSignals(state: RunState): void {
  const { signals, units, blocks } = state;
  state.untaken = signals && new Map();
  if (!signals) return;
  const taken = new Set<string>();
  const hadBy = new Map<string, UnitKey[]>();
  for (const [key, { block, progress, candidate, begun }] of units) {
    for (const id of progress.signals?.keys() ?? []) taken.add(id);
    if (begun?.signal !== undefined) taken.add(begun.signal);
    if (isSettled(blocks[block]!)) continue;
    for (const id of candidate?.progress.signals?.keys() ?? []) hadBy.set(id, [...(hadBy.get(id) ?? []), key]);
  }
  for (const [id, { name }] of signals) if (!taken.has(id)) addUntaken(state, id, name, hadBy.get(id));
}

function addUntaken(state: RunState, id: string, name: string, hadBy: readonly UnitKey[] = []): void {
  state.untaken ??= new Map();
  const ids = state.untaken.get(name);
  if (ids) ids.set(id, hadBy);
  else state.untaken.set(name, new Map([[id, hadBy]]));
}

/** The signals that a unit had taken when it asked the question at a place in the order of its questions. */
export function signalsBefore({ signals }: UnitProgress, place: number): Pick<UnitProgress, "signals"> {
  const before = [...(signals ?? [])].filter(([, { asked }]) => asked <= place);
  return before.length > 0 ? { signals: new Map(before) } : {};
}

/** Whether the signals that a unit had taken were taken by nothing else since. */
export function areFree({ signals, untaken }: RunState, { signals: own }: UnitProgress): boolean {
  return [...(own?.keys() ?? [])].every((id) => untaken?.get(signals!.get(id)!.name)?.has(id));
}

/**
 * Assigns free signals: the oldest of a name goes to the first unit, in the order of the plan, that waits for it, and blocks come before questions. A
 * signal is too late for a unit whose own instant came before it. A signal that a unit had taken before a revision opened it is kept for that unit.
 */
export function deliver(state: RunState): Deliveries {
  const { signals, open } = state;
  if (!signals) return NONE;
  const sleepers = waitingUnits(state).filter(({ progress: { sleeper }, begun }) => sleeper && (sleeper.events ?? begun?.signal));
  const asking = [...open].filter((number) => state.pauses[number]!.entry.onEvent);
  if (sleepers.length + asking.length === 0) return NONE;
  const queues = new Map<string, Queue>();
  const pick = (events: readonly string[], until: number, key: UnitKey): string | undefined => {
    let first: { readonly queue: Queue; readonly id: string } | undefined;
    for (const name of events) {
      const queue = queues.get(name) ?? new Queue(state, name);
      queues.set(name, queue);
      const id = queue.find(until, key);
      if (id !== undefined && (!first || signals.get(id)!.place < signals.get(first.id)!.place)) first = { queue, id };
    }
    first?.queue.take(first.id);
    return first?.id;
  };
  const units = new Map<UnitKey, string>();
  for (const { block, item, progress, begun } of sleepers.toSorted(byPlan)) {
    const key = unitKey({ block, item });
    const { events = [], until = Infinity } = progress.sleeper!;
    // It was about to be executed with this signal, and must not be twice.
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

/** A free signal, by its id, with the units that had taken it before a revision. */
type Untaken = readonly [id: string, hadBy: readonly UnitKey[]];

/** The free signals of one name, oldest first, read only as far as needed. */
class Queue {
  readonly #state: RunState;
  readonly #rest: Iterator<Untaken, undefined>;
  /** Those that were read and not assigned yet. */
  readonly #seen: Untaken[] = [];

  constructor(state: RunState, name: string) {
    this.#state = state;
    this.#rest = (state.untaken?.get(name) ?? new Map<string, readonly UnitKey[]>()).entries();
  }

  /** The oldest signal that came before an instant and is not kept for another unit. */
  find(until: number, unit: UnitKey): string | undefined {
    for (let i = 0; ; i++) {
      const signal = this.#seen[i] ?? this.#next();
      if (!signal) return undefined;
      const [id, hadBy] = signal;
      const isInTime = this.#state.signals!.get(id)!.at < until;
      if (isInTime && (hadBy.findLast((key) => mayTakeAgain(this.#state, key, id)) ?? unit) === unit) return id;
    }
  }

  take(id: string): void {
    const place = this.#seen.findIndex(([seen]) => seen === id);
    this.#seen.splice(place, 1);
  }

  #next(): Untaken | undefined {
    const { value } = this.#rest.next();
    if (value) this.#seen.push(value);
    return value;
  }
}

/** Whether a unit that had taken a signal before a revision has no outcome since. */
function mayTakeAgain({ units, blocks }: RunState, key: UnitKey, id: string): boolean {
  const unit = units.get(key);
  return unit?.candidate?.progress.signals?.has(id) === true && !isSettled(blocks[unit.block]!);
}

/** Whether a signal is there for something that waits. */
export function hasDelivery(state: RunState): boolean {
  const { units, pauses } = deliver(state);
  return units.size + pauses.size > 0;
}

/** What the value of a signal must look like for the first unit that waits for its event and has none yet. */
export function schemaOfEvent(state: RunState, name: string): JsonSchema | undefined {
  const { units } = deliver(state);
  const waiting = waitingUnits(state).filter((unit) => unit.progress.sleeper?.events?.includes(name) && !units.has(unitKey(unit)));
  return waiting.toSorted(byPlan)[0]?.progress.sleeper?.schema;
}

function byPlan(a: Unit, b: Unit): number {
  return a.block - b.block || (a.item ?? 0) - (b.item ?? 0);
}
