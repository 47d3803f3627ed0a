import type { Layered } from "./layers.ts";

/** Sweeps over all layers at most, and links that all sweeps may look at: those of a large graph are fewer. */
const MAX_SWEEPS = 24;
const MIN_SWEEPS = 4;
const WORK = 120_000;
/** Sweeps in a row that may bring nothing. */
const PATIENCE = 4;

/** Puts the items of each layer into an order in which few links cross: each near the middle of those it is linked with, layer after layer, back and forth. */
export function orderLayers(graph: Layered): readonly (readonly number[])[] {
  const links = graph.after.reduce((sum, after) => sum + after.length, 0);
  const sweeps = Math.max(MIN_SWEEPS, Math.min(MAX_SWEEPS, Math.round(WORK / (links + 1))));
  const order = sweep(graph, alongLinks(graph), sweeps);
  if (order.crossings === 0 || sweeps < MAX_SWEEPS) return order.layers;
  const other = sweep(graph, graph.layers, sweeps);
  return other.crossings < order.crossings ? other.layers : order.layers;
}

interface Order {
  readonly layers: readonly (readonly number[])[];
  readonly crossings: number;
}

function sweep(graph: Layered, start: Order["layers"], sweeps: number): Order {
  const place = new Float64Array(graph.layerOf.length);
  let layers = start;
  let best = { layers, crossings: countCrossings(graph, layers, place) };
  for (let i = 0, idle = 0; i < sweeps && idle < PATIENCE && best.crossings > 0; i++) {
    const swept = sweepLayers(graph, layers, place, i);
    exchangeNeighbours(graph, swept, place);
    const crossings = countCrossings(graph, swept, place);
    idle = crossings < best.crossings ? 0 : idle + 1;
    if (crossings < best.crossings) best = { layers: swept, crossings };
    layers = swept;
  }
  return best;
}

/** The items as they are met along the links, so that what belongs together stands together. */
function alongLinks({ layers, layerOf, before, after }: Layered): number[][] {
  const ordered = layers.map((): number[] => []);
  const seen = new Uint8Array(layerOf.length);
  for (const start of layers.flat()) {
    if (seen[start] || before[start]!.length > 0) continue;
    const open = [start];
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      if (seen[item]) continue;
      seen[item] = 1;
      ordered[layerOf[item]!]!.push(item);
      open.push(...after[item]!.toReversed());
    }
  }
  return ordered;
}

function sweepLayers({ before, after }: Layered, layers: readonly (readonly number[])[], place: Float64Array, round: number): number[][] {
  const isDown = round % 2 === 0;
  const linked = isDown ? before : after;
  const swept = layers.map((layer) => [...layer]);
  const wanted = new Float64Array(place.length);
  for (let step = 0; step < layers.length; step++) {
    const layer = swept[isDown ? step : layers.length - 1 - step]!;
    for (const [i, item] of layer.entries()) {
      const others = linked[item]!;
      wanted[item] = others.length === 0 ? i : mean(others, place);
    }
    // What wants the same changes places every second time: else it would never come apart.
    if (round % 4 >= 2) layer.reverse();
    layer.sort((a, b) => wanted[a]! - wanted[b]!);
    for (const [i, item] of layer.entries()) place[item] = i;
  }
  return swept;
}

function mean(items: readonly number[], of: Float64Array): number {
  let sum = 0;
  for (const item of items) sum += of[item]!;
  return sum / items.length;
}

/** Items with more links are left where they are: comparing two takes the product of their links. */
const MAX_LINKS = 12;

/** Exchanges neighbours whose links cross less then. Expects the places of all items. */
function exchangeNeighbours({ before, after }: Layered, layers: readonly number[][], place: Float64Array): void {
  for (const layer of layers) {
    for (let i = 0; i + 1 < layer.length; i++) {
      const [a, b] = [layer[i]!, layer[i + 1]!];
      const gain = surplus(before[a]!, before[b]!, place) + surplus(after[a]!, after[b]!, place);
      if (gain <= 0) continue;
      [layer[i], layer[i + 1]] = [b, a];
      [place[a], place[b]] = [i + 1, i];
    }
  }
}

/** How many more links cross while the first stands before the second. */
function surplus(first: readonly number[], second: readonly number[], place: Float64Array): number {
  if (first.length > MAX_LINKS || second.length > MAX_LINKS) return 0;
  let more = 0;
  for (const a of first) for (const b of second) more += Math.sign(place[a]! - place[b]!);
  return more;
}

/** Counts how many links cross, and sets the places. */
function countCrossings({ after, layerOf }: Layered, layers: readonly (readonly number[])[], place: Float64Array): number {
  for (const layer of layers) for (const [i, item] of layer.entries()) place[item] = i;
  let crossings = 0;
  for (const layer of layers) {
    const size = layers[(layerOf[layer[0]!] ?? 0) + 1]?.length ?? 0;
    // A binary indexed tree of how many links end at each place so far.
    const ends = new Int32Array(size + 1);
    let count = 0;
    for (const item of layer) {
      const targets = after[item]!.map((to) => place[to]!).toSorted((a, b) => a - b);
      for (const at of targets) crossings += count - sumUpTo(ends, at + 1);
      for (const at of targets) for (let i = at + 1; i <= size; i += i & -i) ends[i]!++;
      count += targets.length;
    }
  }
  return crossings;
}

function sumUpTo(tree: Int32Array, end: number): number {
  let sum = 0;
  for (let i = end; i > 0; i -= i & -i) sum += tree[i]!;
  return sum;
}
