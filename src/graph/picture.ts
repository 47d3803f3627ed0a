import type { BlockView } from "../core/model/view.ts";
import { gridOf, type Grid } from "./cells.ts";
import type { Graph, GraphBlock, GraphEdge } from "./graph.ts";
import { shortened } from "./label.ts";
import { type Box, type Direction, type GraphLayout, layoutGraph, type Size } from "./layout/layout.ts";

/** A graph with the place of everything in it, in pixels. */
export interface Picture extends Size {
  readonly graph: Graph;
  readonly direction: Direction;
  /** The frame of each wave, and behind them that of the blocks that undo others, where there are any. */
  readonly frames: readonly Box[];
  /** By the number of the block. */
  readonly nodes: readonly PlacedBlock[];
  readonly edges: readonly (GraphEdge & { readonly line: readonly string[] })[];
}

export interface PlacedBlock {
  readonly block: GraphBlock;
  readonly box: Box;
  /** The head of the arrow that leads to it; absent where none does. */
  readonly arrow?: string;
  /** The line below its type. */
  readonly note: string;
  /** Where the cells of its items stand, from the corner of the box; absent where it has none yet. */
  readonly grid?: Grid;
  /** The graph of the run that it called, where that is shown inside of it. */
  readonly inner?: Picture;
}

/** What a run adds to the picture of a block. */
export interface Live {
  readonly view?: BlockView | undefined;
  readonly inner?: Picture | undefined;
}

/** Pixels of a box: its two lines, and what may stand below them. */
const LINES_HEIGHT = 46;
const NOTE_HEIGHT = 15;
const MIN_WIDTH = 120;
const PADDING = 16;
/** Room for the mark of the status, at the end of the first line. */
const MARK_WIDTH = 18;
/** Around what stands inside a box. */
export const INSET = 8;

/** Characters of an id, a type or a note that a box shows. */
const MAX_LABEL = 28;
/** Pixels that a character of a label takes at most on average, in any platform's font. */
const ID_CHARACTER = 7.7;
const TYPE_CHARACTER = 6.4;

/** Gives everything of a graph its place. */
export function placeGraph(graph: Graph, direction: Direction, live: (id: string) => Live = () => ({})): Picture {
  const lives = graph.blocks.map(({ id }) => live(id));
  const notes = graph.blocks.map((block, i) => noteOf(block, lives[i]!.view));
  const grids = lives.map(({ view }) => (view?.items && view.items.length > 0 ? gridOf(view.items.length) : undefined));
  const sizes = graph.blocks.map((block, i) => measure(block, notes[i]!, grids[i], lives[i]!.inner));
  const layers = graph.undoing.length > 0 ? [...graph.waves, graph.undoing] : graph.waves;
  const layout: GraphLayout = layoutGraph({ layers, edges: graph.edges }, { direction, sizes });
  const isTarget = new Uint8Array(graph.blocks.length);
  for (const { to } of graph.edges) isTarget[to] = 1;
  return {
    graph,
    direction,
    width: layout.width,
    height: layout.height,
    frames: layout.frames,
    nodes: graph.blocks.map((block, i): PlacedBlock => {
      const { inner } = lives[i]!;
      return {
        block,
        box: layout.boxes[i]!,
        note: notes[i]!,
        ...(isTarget[i] === 1 && { arrow: layout.arrow(i) }),
        ...(grids[i] && { grid: grids[i] }),
        ...(inner && { inner }),
      };
    }),
    edges: graph.edges.map((edge, i) => ({ ...edge, line: layout.lines[i]! })),
  };
}

/** The first two lines of a box. */
export function labelsOf({ id, type }: GraphBlock): readonly [id: string, type: string] {
  return [shortened(id, MAX_LABEL), shortened(type, MAX_LABEL)];
}

/** How often a block ran, or may, and the channels that it writes to: numbers and names, so that it needs no language. */
export function noteOf({ iterations, writes }: GraphBlock, view: BlockView | undefined): string {
  const limit = view?.maxIterations ?? iterations;
  const parts = [
    ...(limit === undefined ? [] : [view?.iteration === undefined ? `↻ ≤ ${limit}` : `↻ ${view.iteration}/${limit}`]),
    ...(writes.length === 0 ? [] : [`✎ ${writes.join(", ")}`]),
  ];
  return shortened(parts.join("  "), MAX_LABEL + 8);
}

/** Where what stands inside a box begins, below its lines. */
export function headHeight(note: string): number {
  return LINES_HEIGHT + (note === "" ? 0 : NOTE_HEIGHT);
}

/** Where the graph of a called run begins in a box, from its corner: below the cells, where there are any. */
export function innerPlace({ note, grid }: Pick<PlacedBlock, "note" | "grid">): { readonly x: number; readonly y: number } {
  return { x: INSET, y: headHeight(note) + (grid ? grid.height + INSET : 0) };
}

function measure(block: GraphBlock, note: string, grid: Grid | undefined, inner: Picture | undefined): Size {
  const [id, type] = labelsOf(block);
  // The count of a loop grows while it runs.
  const noteLength = note === "" ? 0 : note.length + 3;
  const inside = [grid, inner].filter((one) => one !== undefined);
  return {
    width: Math.ceil(
      Math.max(
        MIN_WIDTH,
        id.length * ID_CHARACTER + MARK_WIDTH + 2 * PADDING,
        Math.max(type.length, noteLength) * TYPE_CHARACTER + 2 * PADDING,
        ...inside.map(({ width }) => width + 2 * INSET),
      ),
    ),
    height: inside.reduce((sum, { height }) => sum + height + INSET, headHeight(note)),
  };
}
