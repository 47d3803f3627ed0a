import { type RunReading, type Unit, unitName } from "../machine/machine.ts";

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
}

/** Finds where a marker stands first: in the inputs, in an answer, in what a block gave. */
export function findMarker({ state, compiled }: RunReading, marker: string): SecretOrigin | undefined {
  const { started, pauses, items, iterations } = state;
  const { ids } = compiled.plan;
  const input = pathTo(started.inputs, marker);
  if (input) return { name: input.join("."), key: keyOf(input) };
  for (const [pause, { block, item, entry, answer, metadata }] of pauses.entries()) {
    const path = pathTo(answer?.response, marker) ?? pathTo(metadata, marker);
    const name = block < 0 ? entry.block : ids[block]!;
    if (path) return { name: [unitName(name, item), ...path].join("."), key: keyOf(path), asked: { block: name, pause } };
  }
  const look = (unit: Unit, value: unknown): SecretOrigin | undefined => {
    const path = pathTo(value, marker);
    return path && { name: [unitName(ids[unit.block]!, unit.item), ...path].join("."), key: keyOf(path), given: { unit, path } };
  };
  for (const block of compiled.plan.waves.flat()) {
    const records = items.get(block)?.records ?? [];
    for (const [item, record] of records.entries()) {
      const found = look({ block, item }, record?.outputs);
      if (found) return found;
    }
    const found = look({ block }, state.records.get(block)?.outputs);
    if (found) return found;
  }
  for (const [key, { carried }] of iterations) {
    const [block, item] = String(key).split("/").map(Number);
    const found = look({ block: block!, item }, carried);
    if (found) return found;
  }
  return undefined;
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
  if (Array.isArray(value)) return value.map((item, i) => [i, item]);
  if (value instanceof Map) return [...value].filter((entry): entry is [string, unknown] => typeof entry[0] === "string");
  return value instanceof Set ? [...value].map((item, i) => [i, item]) : Object.entries(value);
}

/** The name nearest to the value. */
function keyOf(path: Path): string {
  return String(path.findLast((name) => typeof name === "string") ?? path[0]);
}
