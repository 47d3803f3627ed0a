import type { Channel } from "../definition/definition.ts";
import { walkPath } from "../expression/walk-path.ts";
import { errorData, WorkflowError } from "../model/errors.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { Writes } from "../model/journal.ts";
import { isPlain, isRecord, type Value, type Values } from "../model/value.ts";
import { channelsReadAside, channelsWritten } from "./channel-reach.ts";
import { corrupt, type Folding } from "./folding.ts";
import type { Held, RunReading, RunState } from "./state.ts";
import { changeUnit, type Delta, unitState } from "./unit-state.ts";
import type { Unit } from "./unit.ts";

export { channelReach, channelsWritten, readByCode } from "./channel-reach.ts";

/** What channels hold at a place of a run. */
interface Layer {
  /** Those that hold something else than below, or than at the start of the run. */
  readonly channels: Map<string, Held>;
  /** Texts that tell which changes led there, of the channels of which the value does not. */
  readonly traces: Map<string, string>;
  readonly below?: Layer | undefined;
}

/** In a preview: what a block writes of which only is known that it may write. */
const UNKNOWN = Symbol("unknown");

/** Stands for what a channel holds whose reducer failed: who looks at it gets the error. */
class Broken {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** What a wave began with, by what the state itself holds, which is only what no unit can take back. */
const begun = new WeakMap<ReadonlyMap<string, Held>, Layer & { wave: number; readonly opened: string }>();
/** With the changes of one unit in the wave under way, by these. */
const own = new WeakMap<readonly unknown[], Layer & { count: number }>();

/** Copies that were shown of what is held, with how many changes it had then. */
const shown = new WeakMap<Held, { readonly changes: number; readonly value: Value }>();

/** The value of a channel at a path `channels.name…`: as the wave began, with what the unit itself wrote since, and what it is about to write. */
export function valueAt(run: RunReading, channel: Channel, path: readonly (string | number)[], unit?: Unit, pending?: Writes): unknown {
  const held = heldBy(run, channel, unit, pending?.[channel.name]);
  return path.length > 2 ? walkPath(held.held, path, 2) : show(channel, held);
}

/** Throws `CHANNEL_INVALID` where what a unit is about to write, as the run keeps it, joins to something that its channel cannot hold. */
export function assertJoins(run: RunReading, unit: Unit, writes: Writes): void {
  for (const [name, changes] of Object.entries(writes)) {
    const channel = run.compiled.channels.get(name)!;
    const reason = channel.computes && channel.refuseWhole(heldBy(run, channel, unit, changes).held);
    if (!reason) continue;
    const block = run.compiled.plan.ids[unit.block]!;
    const message = `With what block "${block}" writes, channel "${name}" ${reason}`;
    throw new WorkflowError("CHANNEL_INVALID", message, { details: { block, channel: name } });
  }
}

/** What is held as others may see it: it does not change any more. */
function show({ grows, copy }: Channel, held: Held): Value {
  if (!grows) return held.held as Value;
  let known = shown.get(held);
  if (known?.changes !== held.changes) shown.set(held, (known = { changes: held.changes, value: Object.freeze(copy(held.held)) as Value }));
  return known.value;
}

/** What all channels held, and what it was made from. */
interface Shown {
  readonly layer: Layer;
  /** The wave, and how much it had written. */
  readonly place: string;
  readonly values: Values;
}

const lastShown = new WeakMap<ReadonlyMap<string, Held>, Shown>();

/**
 * What all channels hold now, what the wave under way has written so far included. One whose reducer failed is left out. The same object as before where
 * nothing was written since.
 */
export function allValues(run: RunReading): Values {
  const { compiled, state } = run;
  const below = layerAt(run, state.wave);
  const units = unitsOfWave(run, state.wave);
  const place = `${state.wave} ${units.reduce((count, { deltas }) => count + deltas.length, 0)}`;
  const known = lastShown.get(state.settledChannels);
  if (known?.layer === below && known.place === place) return known.values;
  const layer: Layer = { channels: new Map(), traces: new Map(), below };
  joinAll(run, layer, units);
  const held = [...compiled.channels.values()].map((channel) => [channel, find(run, layer, channel)] as const);
  const values = Object.fromEntries(
    held.flatMap(([channel, now]) => (now.held instanceof Broken ? [] : [[channel.name, show(channel, now)]])),
  );
  lastShown.set(state.settledChannels, { layer: below, place, values });
  return values;
}

/**
 * Texts that say what the channels held, as the wave of a unit began, that it reads beside its inputs: the same only where it is the same. What the unit itself
 * wrote since follows from what it was given first.
 */
export function stampsOf(run: RunReading, unit: Unit): readonly (readonly [name: string, stamp: string])[] {
  const layer = layerAt(run, run.compiled.plan.waveOf[unit.block]!);
  return [...channelsReadAside(run, unit.block)].flatMap((name) => {
    const channel = run.compiled.channels.get(name);
    if (!channel) return [];
    const stamp = channel.grows ? traceOf(layer, name) : fingerprint(heldIn(run, layer, channel).held);
    return [[name, stamp] as const];
  });
}

/** Notes what an execution of a unit wrote; `isRevisable` where a revision may take it back. Throws `RUN_CORRUPT`. */
export function noteWrites({ state }: Folding, unit: Unit, writes: unknown, isRevisable: boolean): void {
  if (!isRecord(writes) || !Object.values(writes).every(Array.isArray)) throw corrupt(state, "a change of channels that is none");
  // What a revision may take back stays with its unit, and so does what a state cannot hold without being encoded.
  if (isRevisable || !isJson(writes) || !isJson(state.started.channels ?? null)) state.holdsDeltas = true;
  addDelta(state, unit, { writes: writes as Writes });
}

/** Notes, in a preview, that a unit may have written to the channels of its block. */
export function noteUnknownWrites(folding: Folding, unit: Unit): void {
  const { state } = folding;
  const writes = Object.fromEntries(channelsWritten(folding, unit.block).map((name) => [name, [UNKNOWN]]));
  if (Object.keys(writes).length === 0) return;
  state.holdsDeltas = true;
  addDelta(state, unit, { writes });
}

/** From here on channels hold these values: what was written to them before counts no more. */
export function supplyChannels({ state, compiled }: Folding, given: Values): void {
  for (const [name, value] of Object.entries(given)) {
    const channel = compiled.channels.get(name);
    if (!channel || channel.refuseWhole(value) !== undefined) throw corrupt(state, `a value that channel "${name}" cannot hold`);
    state.settledChannels.set(name, { held: channel.begin(value as Value), changes: 0 });
  }
  for (const { progress } of state.units.values()) {
    progress.deltas = progress.deltas?.map((delta) => {
      const left = Object.entries(delta?.writes ?? {}).filter(([name]) => !Object.hasOwn(given, name));
      return left.length > 0 ? { writes: Object.fromEntries(left) } : undefined;
    });
  }
  begun.delete(state.settledChannels);
}

function addDelta(state: RunState, unit: Unit, delta: Delta): void {
  const { progress } = changeUnit(state, unit);
  const deltas = (progress.deltas ??= []);
  const iteration = progress.loop?.past.length ?? 0;
  while (deltas.length < iteration) deltas.push(undefined);
  deltas.push(delta);
}

/** The wave under way ends: the next one begins with what it wrote. */
export function passWave(folding: Folding): void {
  const { state } = folding;
  const { wave } = state;
  const units = unitsOfWave(folding, wave);
  if (!state.holdsDeltas) return settle(folding, units);
  const layer = begun.get(state.settledChannels);
  if (layer?.wave !== wave || layer.opened !== openingOf(state)) return;
  joinAll(folding, layer, units);
  layer.wave++;
}

/** The run undoes what it did: what channels hold then stays, and nothing of it is taken back any more. */
export function settleChannels(folding: Folding): void {
  const { state, compiled } = folding;
  const { settledChannels } = state;
  const layer = layerAt(folding, state.wave);
  const later = [...state.units.values()].filter(({ block }) => compiled.plan.waveOf[block]! >= state.wave);
  const writers = later.flatMap((unit) => writerOf(state, unit));
  joinAll(folding, layer, writers);
  for (const [name, held] of layer.channels) settledChannels.set(name, held);
  for (const { progress } of state.units.values()) progress.deltas = undefined;
  state.holdsDeltas = false;
  begun.delete(settledChannels);
}

/** What a block wrote that undoes another one holds for the next one. */
export function settleWrites(folding: Folding, unit: Unit): void {
  const { state } = folding;
  state.holdsDeltas = false;
  settle(folding, writerOf(state, unit));
}

/** What units wrote is part of what the run itself holds, and no unit can take it back. */
function settle(folding: Folding, units: readonly Writer[]): void {
  const { state } = folding;
  joinAll(folding, { channels: state.settledChannels, traces: new Map() }, units);
  for (const unit of units) changeUnit(state, unit).progress.deltas = undefined;
}

function joinAll(run: RunReading, layer: Layer, units: readonly Writer[]): void {
  for (const writes of writesOf(run, units)) join(run, layer, writes);
}

/** What units wrote: by iteration, then by their places in the plan, so that it does not depend on speed. */
function writesOf({ compiled: { plan } }: RunReading, units: readonly Writer[]): readonly Writes[] {
  const all = units.flatMap(({ block, item, deltas }) =>
    deltas.flatMap((delta, iteration) =>
      delta ? [{ wave: plan.waveOf[block]!, iteration, block: plan.ranks?.[block] ?? block, item: item ?? -1, ...delta }] : [],
    ),
  );
  if (units.length > 1) all.sort((a, b) => a.wave - b.wave || a.iteration - b.iteration || a.block - b.block || a.item - b.item);
  return all.map(({ writes }) => writes);
}

interface Writer extends Unit {
  readonly deltas: readonly (Delta | undefined)[];
}

/** The units of a wave that wrote something. */
function unitsOfWave({ compiled, state }: RunReading, wave: number): readonly Writer[] {
  return (compiled.plan.waves[wave] ?? []).flatMap((block) => {
    const items = state.items.get(block)?.keys.map((_, item): Unit => ({ block, item })) ?? [];
    return [{ block }, ...items].flatMap((unit) => writerOf(state, unit));
  });
}

function writerOf(state: RunState, unit: Unit): readonly Writer[] {
  const { deltas } = unitState(state, unit).progress;
  return deltas ? [{ ...unit, deltas }] : [];
}

/** What a wave begins with. */
function layerAt(run: RunReading, wave: number): Layer {
  const { compiled, state } = run;
  const opened = openingOf(state);
  const known = begun.get(state.settledChannels);
  if (known?.opened === opened && (known.wave === wave || !state.holdsDeltas)) return known;
  const channels = state.holdsDeltas ? copyOf(run, state.settledChannels) : state.settledChannels;
  const layer = { wave, opened, channels, traces: new Map<string, string>() };
  if (state.holdsDeltas) {
    const units = [...state.units.values()].filter(({ block }) => compiled.plan.waveOf[block]! < wave);
    const writers = units.flatMap((unit) => writerOf(state, { block: unit.block, item: unit.item }));
    joinAll(run, layer, writers);
  }
  if (wave === state.wave) begun.set(state.settledChannels, layer);
  return layer;
}

/** Changes where what the steps before a wave gave may be something else. */
function openingOf({ revisedAt, formerly, holdsDeltas }: RunState): string {
  return `${revisedAt} ${formerly.length} ${holdsDeltas}`;
}

function copyOf({ compiled }: RunReading, channels: ReadonlyMap<string, Held>): Map<string, Held> {
  return new Map(
    [...channels].map(([name, { held, changes }]) => [name, { held: compiled.channels.get(name)?.copy(held) ?? held, changes }]),
  );
}

/** What a unit sees: what its wave began with, and what it wrote itself in earlier iterations. */
function layerOf(run: RunReading, unit: Unit | undefined): Layer {
  const { compiled, state } = run;
  const below = layerAt(run, unit ? compiled.plan.waveOf[unit.block]! : state.wave);
  const deltas = unit && unitState(state, unit).progress.deltas;
  if (!deltas) return below;
  let layer = own.get(deltas);
  if (layer?.below !== below) own.set(deltas, (layer = { channels: new Map(), traces: new Map(), below, count: 0 }));
  for (; layer.count < deltas.length; layer.count++) {
    const delta = deltas[layer.count];
    if (delta) join(run, layer, delta.writes);
  }
  return layer;
}

function heldIn(run: RunReading, layer: Layer, channel: Channel): Held {
  const held = find(run, layer, channel);
  if (held.held === UNKNOWN) throw new WorkflowError("REFERENCE_UNKNOWN", `What channel "${channel.name}" holds is not known yet.`);
  if (held.held instanceof Broken) throw held.held.error;
  return held;
}

function heldBy(run: RunReading, channel: Channel, unit: Unit | undefined, pending: readonly unknown[] = []): Held {
  const held = heldIn(run, layerOf(run, unit), channel);
  if (pending.length === 0) return held;
  try {
    return { held: pending.reduce((joined, change) => channel.join(joined, change), channel.copy(held.held)), changes: 0 };
  } catch (cause) {
    // The block that is about to write it fails. Where it is written, nothing but another reducer helps.
    throw new WorkflowError("CHANNEL_INVALID", `Channel "${channel.name}" cannot take it: ${errorData(cause, "CHANNEL_INVALID").message}`, {
      cause,
    });
  }
}

function find({ state }: RunReading, layer: Layer, channel: Channel): Held {
  for (let at: Layer | undefined = layer; at; at = at.below) {
    const known = at.channels.get(channel.name);
    if (known) return known;
  }
  return { held: channel.begin(beginsWith(state, channel.name)), changes: 0 };
}

function beginsWith({ started: { channels } }: RunState, name: string): Value | undefined {
  return channels && Object.hasOwn(channels, name) ? channels[name] : undefined;
}

function traceOf(layer: Layer, name: string): string {
  for (let at: Layer | undefined = layer; at; at = at.below) {
    const trace = at.traces.get(name);
    if (trace !== undefined) return trace;
  }
  return "";
}

/** Joins changes to what a layer holds. */
function join(run: RunReading, layer: Layer, writes: Writes): void {
  for (const [name, changes] of Object.entries(writes)) {
    const channel = run.compiled.channels.get(name);
    // The run moved to a definition that does not have it.
    if (!channel) continue;
    let place = layer.channels.get(name);
    if (!place) {
      const { held } = find(run, layer, channel);
      layer.channels.set(name, (place = { held: held === UNKNOWN ? UNKNOWN : channel.copy(held), changes: 0 }));
    }
    for (const change of changes) {
      place.held = joinOne(run, channel, place.held, change);
      place.changes++;
    }
    if (run.state.holdsDeltas && channel.grows) layer.traces.set(name, fingerprint([traceOf(layer, name), changes]));
  }
}

function joinOne({ state }: RunReading, channel: Channel, held: unknown, change: unknown): unknown {
  if (held === UNKNOWN || held instanceof Broken) return held;
  if (change === UNKNOWN) return UNKNOWN;
  try {
    return channel.join(held, change);
  } catch (error) {
    // What is held for good is made from changes that are gone: it must not be wrong.
    if (!state.holdsDeltas) throw error;
    return new Broken(error);
  }
}

/** Whether a value is JSON as it stands. */
function isJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return !["undefined", "bigint", "symbol"].includes(typeof value);
  return (Array.isArray(value) || isPlain(value)) && Object.values(value).every(isJson);
}
