import { channelValues, type RunReading, type Unit, unitName } from "../machine/machine.ts";

type Path = readonly (string | number)[];

/** Where in a run what a marker stands for came in. */
export interface SecretOrigin {
  /** What the provider is asked for: `input`, `block.output`, with further members behind it. */
  readonly name: string;
  /** The name of the member. */
  readonly key: string;
  /** The unit that gave it, and the place in its outputs. */
  readonly given?: { readonly unit: Unit; readonly path: Path };
  /** The block that asked for it, and the number of the pause. */
  readonly asked?: { readonly block: string; readonly pause: number };
  /** The channel that holds it. */
  readonly channel?: string;
}

/** A value that came into a run. */
interface Arrival {
  readonly value: unknown;
  /** The name of the unit. */
  readonly of?: string;
  readonly given?: Unit;
  readonly asked?: NonNullable<SecretOrigin["asked"]>;
  readonly channel?: string;
}

/** Finds where a marker stands first: in the inputs, in an answer, in what a block gave, in a channel. */
export function findMarker(run: RunReading, marker: string): SecretOrigin | undefined {
  for (const { value, of, given, asked, channel } of arrivalsOf(run)) {
    const path = pathTo(value, marker);
    if (!path) continue;
    return {
      name: [...(of === undefined ? [] : [of]), ...path].join("."),
      // The name nearest to the value.
      key: String(path.findLast((name) => typeof name === "string") ?? channel ?? path[0]),
      ...(given && { given: { unit: given, path } }),
      ...(asked && { asked }),
      ...(channel !== undefined && { channel }),
    };
  }
  return undefined;
}

function* arrivalsOf(run: RunReading): Generator<Arrival> {
  const { state, compiled } = run;
  const { started, pauses, items, records } = state;
  const { ids, waves } = compiled.plan;
  yield { value: started.inputs };
  for (const [pause, { block, item, entry, answer, metadata }] of pauses.entries()) {
    const name = block < 0 ? entry.block : ids[block]!;
    for (const value of [answer?.response, metadata]) yield { value, of: unitName(name, item), asked: { block: name, pause } };
  }
  const arrival = (unit: Unit, value: unknown): Arrival => ({ value, of: unitName(ids[unit.block]!, unit.item), given: unit });
  for (const block of waves.flat()) {
    for (const [item, record] of (items.get(block)?.records ?? []).entries()) yield arrival({ block, item }, record?.outputs);
    yield arrival({ block }, records.get(block)?.outputs);
  }
  for (const { blockType, name, held } of state.resources.values()) yield { value: held, of: `${blockType}.${name}` };
  for (const unit of state.units.values()) {
    yield arrival(unit, unit.progress.loop?.carried);
    for (const memos of unit.memos?.values() ?? []) {
      for (const [key, { held }] of memos) yield { value: held, of: `${unitName(ids[unit.block]!, unit.item)}.${key}`, given: unit };
    }
  }
  for (const [channel, value] of Object.entries(channelValues(run) ?? {})) yield { value, of: `channels.${channel}`, channel };
}

/** The path to a text inside a value. */
export function pathTo(value: unknown, text: string): Path | undefined {
  if (value === text) return [];
  for (const [key, member] of membersOf(value)) {
    const path = pathTo(member, text);
    if (path) return [key, ...path];
  }
  return undefined;
}

/** The value at a path that {@link pathTo} gave for another one. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => membersOf(holder).find(([name]) => name === key)?.[1], value);
}

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if (value instanceof Map) return [...value].filter((entry): entry is [string, unknown] => typeof entry[0] === "string");
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item, i) => [i, item]);
  return Object.entries(value);
}
