import type { Layered } from "./layers.ts";

/** What stands side by side in a layer: a bend, a node, or several nodes of a layer with very many, one behind another. */
export interface Slot {
  readonly items: readonly number[];
  readonly size: number;
  /** Free space to the next slot. */
  readonly gap: number;
}

/** Rounds of going back and forth over all layers. */
const ROUNDS = 4;
/** How much a link pulls at its ends: those between bends most, so that long edges run straight. */
const PULL_BENDS = 8;
const PULL_BEND = 2;
const PULL = 1;
/** How much an item without links holds its place. */
const HOLD = 0.1;

/** Middles of all items across the layers, as near as possible to what they are linked with, without changing their order. The least edge is at 0. */
export function placeItems(graph: Layered, layers: readonly (readonly Slot[])[]): Float64Array {
  const at = new Float64Array(graph.layerOf.length);
  for (const layer of layers) placeSlots(layer, at, () => ({ wanted: 0, weight: 1 }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const layer of layers) placeSlots(layer, at, (slot) => pull(slot, [graph.before], graph, at));
    for (const layer of layers.toReversed()) placeSlots(layer, at, (slot) => pull(slot, [graph.after], graph, at));
  }
  for (const layer of layers) placeSlots(layer, at, (slot) => pull(slot, [graph.before, graph.after], graph, at));
  let least = Infinity;
  for (const layer of layers) for (const { items, size } of layer) least = Math.min(least, at[items[0]!]! - size / 2);
  return at.map((middle) => Math.round((middle - least) * 2) / 2);
}

interface Wish {
  readonly wanted: number;
  readonly weight: number;
}

function pull({ items }: Slot, sides: readonly Layered["before"][], { nodeCount }: Layered, at: Float64Array): Wish {
  let sum = 0;
  let weight = 0;
  for (const item of items) {
    for (const side of sides) {
      for (const other of side[item]!) {
        const bends = Number(item >= nodeCount) + Number(other >= nodeCount);
        const strength = bends === 2 ? PULL_BENDS : bends === 1 ? PULL_BEND : PULL;
        sum += strength * at[other]!;
        weight += strength;
      }
    }
  }
  return weight === 0 ? { wanted: at[items[0]!]!, weight: HOLD } : { wanted: sum / weight, weight };
}

/** Slots that would stand on each other's toes move as one, by the mean of their shifts (isotonic regression). */
function placeSlots(slots: readonly Slot[], at: Float64Array, wish: (slot: Slot) => Wish): void {
  const offsets = new Float64Array(slots.length);
  const pools: { shift: number; weight: number; count: number }[] = [];
  let offset = 0;
  for (const [i, slot] of slots.entries()) {
    if (i > 0) offset += slots[i - 1]!.size / 2 + slots[i - 1]!.gap + slot.size / 2;
    offsets[i] = offset;
    const { wanted, weight } = wish(slot);
    let pool = { shift: wanted - offset, weight, count: 1 };
    for (let last = pools.at(-1); last && last.shift >= pool.shift; last = pools.at(-1)) {
      const sum = last.weight + pool.weight;
      pool = { shift: (last.shift * last.weight + pool.shift * pool.weight) / sum, weight: sum, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  }
  let i = 0;
  for (const { shift, count } of pools) {
    for (const end = i + count; i < end; i++) for (const item of slots[i]!.items) at[item] = offsets[i]! + shift;
  }
}
