import { ALWAYS } from "../core/definition/definition.ts";
import type { Geometry } from "./geometry.ts";
import type { GraphLayout } from "./layout.ts";

/** Pixels between an edge's end and the box, which the arrow head or the mark of a condition takes. */
export const HEAD = 7;
/** Edges of different blocks that share a lane lie this far apart. */
const LANE_STEP = 3;
const LANES = 5;

/** The lines of all edges as SVG path data: those of dependencies that must have run and always lead on, those of others, and those to what undoes a block. */
export interface EdgePaths {
  readonly required: string;
  readonly optional: string;
  readonly undoing: string;
}

/**
 * Draws edges from left to right. One that passes over columns keeps to a row that is free there, else to the lane between two rows, so
 * that it never crosses a box.
 */
export function routeEdges(layout: GraphLayout, geometry: Geometry): EdgePaths {
  const { dependencyStart, dependencies, required, leads, compensations } = layout.plan;
  const occupied = listOccupied(layout);
  const paths: { readonly required: string[]; readonly optional: string[] } = { required: [], optional: [] };
  for (let block = 0; block < geometry.nodes.length; block++) {
    for (let e = dependencyStart[block]!; e < dependencyStart[block + 1]!; e++) {
      const path = routeEdge(dependencies[e]!, block, { layout, geometry, occupied });
      (required[e] === 1 && leads[e] === ALWAYS ? paths.required : paths.optional).push(path);
    }
  }
  const undoing = [...compensations].map(([block, by]) => routeEdge(block, by, { layout, geometry, occupied }));
  return { required: paths.required.join(""), optional: paths.optional.join(""), undoing: undoing.join("") };
}

interface Ground {
  readonly layout: GraphLayout;
  readonly geometry: Geometry;
  readonly occupied: readonly (readonly number[])[];
}

function routeEdge(from: number, to: number, { layout: { columnOf, rowOf }, geometry, occupied }: Ground): string {
  const source = geometry.nodes[from]!;
  const target = geometry.nodes[to]!;
  const start = { x: source.x + source.width, y: source.y + source.height / 2 };
  const end = { x: target.x - HEAD, y: target.y + target.height / 2 };
  const [first, last] = [columnOf[from]!, columnOf[to]!];
  const move = `M${start.x} ${start.y}`;
  if (last === first + 1) return `${move}${curve(start, end)}`;

  const [row, endRow] = [rowOf[from]!, rowOf[to]!];
  // Where the last gap begins, in which the edge turns to its end.
  const away = geometry.rightOf[last - 1]!;
  const isFree = (at: number): boolean => !hasBetween(occupied[at]!, first, last);
  if (isFree(row)) return `${move}H${away}${curve({ x: away, y: start.y }, end)}`;

  const lane = isFree(endRow) ? end.y : geometry.laneAbove(endRow >= row ? row + 1 : row) + ((from % LANES) - (LANES - 1) / 2) * LANE_STEP;
  const gap = end.x - away;
  const entered = { x: start.x + gap, y: lane };
  return `${move}${curve(start, entered)}${lane === end.y ? `H${end.x}` : `H${away}${curve({ x: away, y: lane }, end)}`}`;
}

function curve(from: { readonly x: number; readonly y: number }, to: { readonly x: number; readonly y: number }): string {
  if (from.y === to.y) return `H${to.x}`;
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

/** The columns that hold a block, from left to right, row by row. */
function listOccupied({ columns, rows, rowOf }: GraphLayout): readonly (readonly number[])[] {
  const occupied = Array.from({ length: rows }, (): number[] => []);
  for (const [column, { blocks }] of columns.entries()) for (const block of blocks) occupied[rowOf[block]!]!.push(column);
  return occupied;
}

/** Whether sorted numbers hold one between two others, these left out. */
function hasBetween(sorted: readonly number[], low: number, high: number): boolean {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! <= low) from = middle + 1;
    else to = middle;
  }
  return from < sorted.length && sorted[from]! < high;
}
