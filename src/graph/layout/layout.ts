import { bendEdges, type Layered, type LayeredEdge, type Layering } from "./layers.ts";
import { orderLayers } from "./order.ts";
import { placeItems, type Slot } from "./positions.ts";

/** Where a drawing leads to: `left` is `right` in a mirror, for pages that are read from right to left. */
export type Direction = "right" | "left" | "down";

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface LayoutOptions {
  readonly direction: Direction;
  /** By the number of the node. */
  readonly sizes: readonly Size[];
}

/** Where everything of a drawn graph stands, in pixels. */
export interface GraphLayout extends Size {
  /** The frame of each layer. */
  readonly frames: readonly Box[];
  /** The box of each node, by its number. */
  readonly boxes: readonly Box[];
  /** The line of each edge, by its number, as pieces of SVG path data. Where edges run together, they have the same pieces. */
  readonly lines: readonly (readonly string[])[];
  /** The head of an arrow into a node, as path data. */
  arrow(node: number): string;
}

/** Free space, in pixels. */
const NODE_GAP = 22;
const BEND_GAP = 9;
const LAYER_GAP = 60;
const DOWN_GAP = 52;
/** Around the boxes in their frame; above them its title stands. */
const PADDING = 14;
const TITLE = 26;
const MARGIN = 8;
/** Between an edge's end and the box, which the arrow head takes. */
const HEAD = 7;
/** Nodes that may always stand side by side in a layer, and how much broader than deep a layer with more is: of more, some stand one behind another. */
const BESIDE: { readonly [direction in Direction]: { readonly least: number; readonly stretch: number } } = {
  right: { least: 18, stretch: 2 },
  left: { least: 18, stretch: 2 },
  // Boxes are wider than high, and narrow places are what is drawn downwards for.
  down: { least: 4, stretch: 0.5 },
};
/** Boxes of a column are as long as its longest, up to this. */
const EVEN_LENGTH = 250;
/** How far from the middle between two rows edges lead along them, into boxes and out of them. */
const LANE = 4;

/** Where the boxes of a column begin and end, along the layers. */
interface Column {
  readonly start: number;
  readonly end: number;
}

/** Lays a graph out in layers, with few crossings and straight lines, in time that grows with what there is to draw. */
export function layoutGraph(layering: Layering, { direction, sizes }: LayoutOptions): GraphLayout {
  const graph = bendEdges(layering);
  const isDown = direction === "down";
  const along = (node: number): number => (isDown ? sizes[node]!.height : sizes[node]!.width);
  const across = (node: number): number => (isDown ? sizes[node]!.width : sizes[node]!.height);
  const order = orderLayers(graph);
  const widest = Math.max(1, ...layering.layers.map((layer) => layer.length));
  const { least, stretch } = BESIDE[direction];
  const rows = Math.max(least, Math.ceil(Math.sqrt(widest * stretch)));
  const layers = order.map((layer, i) => makeSlots(layer, Math.ceil(layering.layers[i]!.length / rows), graph, across));
  const middles = placeItems(graph, layers);

  const gap = isDown ? DOWN_GAP : LAYER_GAP;
  const starts = new Float64Array(layers.length);
  const ends = new Float64Array(layers.length);
  const lengthOf = new Float64Array(graph.nodeCount);
  /** In a layer with many nodes some stand one behind another: the column of each. */
  const columnOf = new Int32Array(graph.nodeCount);
  const columnsOf: Column[][] = [];
  let start = MARGIN + PADDING + (isDown ? TITLE : 0);
  for (const [i, slots] of layers.entries()) {
    starts[i] = start;
    const longest: number[] = [];
    for (const { items } of slots) {
      if (items[0]! < graph.nodeCount) for (const [k, item] of items.entries()) longest[k] = Math.max(longest[k] ?? 0, along(item));
    }
    let at = start;
    columnsOf[i] = longest.map((length) => {
      const column = { start: at, end: at + length };
      at += length + gap;
      return column;
    });
    ends[i] = Math.max(start, at - gap);
    for (const { items } of slots) {
      for (const [k, item] of items.entries()) {
        if (item >= graph.nodeCount) continue;
        columnOf[item] = k;
        lengthOf[item] = isDown ? along(item) : Math.max(along(item), Math.min(longest[k]!, EVEN_LENGTH));
      }
    }
    start = ends[i]! + gap;
  }
  const columnAt = (node: number): Column => columnsOf[graph.layerOf[node]!]![columnOf[node]!]!;
  const extent = Math.max(start - gap, MARGIN + PADDING) + PADDING + MARGIN;
  let breadth = 0;
  for (const slots of layers) for (const { items, size } of slots) breadth = Math.max(breadth, middles[items[0]!]! + size / 2);
  const lead = MARGIN + PADDING + (isDown ? 0 : TITLE);
  const total = lead + breadth + PADDING + MARGIN;

  const box = (from: number, middle: number, length: number, width: number): Box => {
    if (isDown) return { x: lead + middle - width / 2, y: from, width, height: length };
    return { x: direction === "left" ? extent - from - length : from, y: lead + middle - width / 2, width: length, height: width };
  };
  const point = (main: number, cross: number): string => {
    if (isDown) return `${lead + cross} ${main}`;
    return `${direction === "left" ? extent - main : main} ${lead + cross}`;
  };

  /** A line through points along the layers, piece by piece; between two that are not at the same height it is a curve. */
  const line = (points: readonly (readonly [main: number, cross: number])[]): readonly string[] => {
    const pieces: string[] = [];
    for (let i = 1; i < points.length; i++) {
      const [from, fromCross] = points[i - 1]!;
      const [to, toCross] = points[i]!;
      if (from === to && fromCross === toCross) continue;
      const middle = (from + to) / 2;
      const way = fromCross === toCross ? "L" : `C${point(middle, fromCross)} ${point(middle, toCross)} `;
      pieces.push(`M${point(from, fromCross)}${way}${point(to, toCross)}`);
    }
    return pieces;
  };
  const lane = (node: number, side: 1 | -1): number => middles[node]! + side * (across(node) / 2 + NODE_GAP / 2 - LANE);
  const columnsBeside = (node: number): readonly Column[] => columnsOf[graph.layerOf[node]!]!;

  // Edges of boxes that stand one behind another run along their row together: from the first of them on, and up to the last.
  const rowOf = new Int32Array(graph.nodeCount);
  for (const slots of layers) for (const { items } of slots) for (const item of items) if (item < graph.nodeCount) rowOf[item] = items[0]!;
  const leaves = new Map<number, number>();
  const enters = new Map<number, number>();
  for (const { from, to } of layering.edges) {
    const [beside, column] = [columnsBeside(from), columnOf[from]!];
    if (column + 1 < beside.length) leaves.set(rowOf[from]!, Math.min(leaves.get(rowOf[from]!) ?? Infinity, beside[column + 1]!.start));
    if (columnOf[to]! > 0) enters.set(rowOf[to]!, Math.max(enters.get(rowOf[to]!) ?? 0, columnsBeside(to)[columnOf[to]! - 1]!.end));
  }

  const trace = (edge: LayeredEdge): readonly string[] => {
    const { from, to } = edge;
    const [first, last] = [graph.layerOf[from]!, graph.layerOf[to]!];
    const [column, targetColumn] = [columnOf[from]!, columnOf[to]!];
    const own = columnAt(from);
    const pieces: string[] = [];
    let points: [number, number][] = [
      [own.start + lengthOf[from]!, middles[from]!],
      [own.end, middles[from]!],
    ];
    const ahead = columnsBeside(from)[column + 1];
    if (ahead) {
      const cross = lane(from, 1);
      pieces.push(...line([...points, [ahead.start, cross]]));
      points = [
        [leaves.get(rowOf[from]!)!, cross],
        [ends[first]!, cross],
      ];
    }
    const bends = graph.bendsOf(edge);
    // One that is very long passes beside all layers.
    if (!bends) points.push([ends[first]! + gap / 2, -TITLE / 2], [starts[last]! - gap / 2, -TITLE / 2]);
    for (const bend of bends ?? []) {
      const layer = graph.layerOf[bend]!;
      points.push([starts[layer]!, middles[bend]!], [ends[layer]!, middles[bend]!]);
    }
    if (targetColumn > 0) {
      const cross = lane(to, -1);
      pieces.push(...line([...points, [starts[last]!, cross], [enters.get(rowOf[to]!)!, cross]]));
      points = [[columnsBeside(to)[targetColumn - 1]!.end, cross]];
    }
    return [...pieces, ...line([...points, [columnAt(to).start - HEAD, middles[to]!]])];
  };

  return {
    width: isDown ? total : extent,
    height: isDown ? extent : total,
    frames: layers.map((_, i): Box => {
      const title = isDown ? TITLE : 0;
      const from = starts[i]! - PADDING - title;
      const length = ends[i]! + PADDING - from;
      if (isDown) return { x: MARGIN, y: from, width: total - 2 * MARGIN, height: length };
      return { x: direction === "left" ? extent - from - length : from, y: MARGIN, width: length, height: total - 2 * MARGIN };
    }),
    boxes: sizes.map((_, node) => box(columnAt(node).start, middles[node]!, lengthOf[node]!, across(node))),
    lines: layering.edges.map(trace),
    arrow: (node) => {
      const tip = columnAt(node).start - 1;
      return `M${point(tip - HEAD, middles[node]! - 4)}L${point(tip, middles[node]!)}L${point(tip - HEAD, middles[node]! + 4)}z`;
    },
  };
}

/** The slots of a layer whose nodes stand some deep: nodes that follow one another in the order share one. */
function makeSlots(layer: readonly number[], depth: number, { nodeCount }: Layered, across: (node: number) => number): readonly Slot[] {
  const groups: number[][] = [];
  let open: number[] | undefined;
  for (const item of layer) {
    if (item >= nodeCount) groups.push([item]);
    else if (open && open.length < depth) open.push(item);
    else groups.push((open = [item]));
  }
  const isNode = (i: number): boolean => groups[i] !== undefined && groups[i][0]! < nodeCount;
  return groups.map((items, i) => ({
    items,
    size: isNode(i) ? Math.max(...items.map(across)) : 0,
    gap: isNode(i) && isNode(i + 1) ? NODE_GAP : isNode(i) || isNode(i + 1) ? NODE_GAP / 2 + BEND_GAP / 2 : BEND_GAP,
  }));
}
