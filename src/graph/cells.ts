import type { BlockStatus, ItemView } from "../core/model/view.ts";
import type { Size } from "./layout/layout.ts";

/** Where the cells of the items of a block stand, in pixels. */
export interface Grid extends Size {
  readonly columns: number;
  readonly pitch: number;
  readonly side: number;
}

/** Up to so many items get large cells. */
const FEW = 60;
/** How much wider than high a grid is. */
const STRETCH = 2;

/** The grid for a number of items. */
export function gridOf(count: number): Grid {
  const [pitch, side] = count <= FEW ? [15, 12] : [9, 7];
  const columns = Math.min(count, Math.max(8, Math.ceil(Math.sqrt(count * STRETCH))));
  return { columns, pitch, side, width: columns * pitch, height: Math.ceil(count / columns) * pitch };
}

/** The item whose cell is at a place of the grid. */
export function cellAt({ columns, pitch, width }: Grid, x: number, y: number): number | undefined {
  if (x < 0 || y < 0 || x >= width) return undefined;
  return Math.floor(y / pitch) * columns + Math.floor(x / pitch);
}

/** The cells of all items as path data by status, from the corner of the grid: each status has a shape of its own, so that nothing hangs on colour. */
export function drawCells(items: readonly Pick<ItemView, "status">[], { columns, pitch, side }: Grid): ReadonlyMap<BlockStatus, string> {
  const cells = new Map<BlockStatus, string[]>();
  for (const [i, { status }] of items.entries()) {
    const cell = CELLS[status]((i % columns) * pitch, Math.floor(i / columns) * pitch, side);
    const drawn = cells.get(status);
    if (drawn) drawn.push(cell);
    else cells.set(status, [cell]);
  }
  return new Map([...cells].map(([status, paths]) => [status, paths.join("")]));
}

type Cell = (x: number, y: number, side: number) => string;

const square: Cell = (x, y, s) => `M${x} ${y}h${s}v${s}h${-s}z`;

/** The shapes, all filled. */
const CELLS: { readonly [status in BlockStatus]: Cell } = {
  pending: (x, y, s) => `${square(x, y, s)}M${x + 1} ${y + 1}v${s - 2}h${s - 2}v${2 - s}z`,
  running: (x, y, s) => `M${x} ${y}l${s} ${s / 2}l${-s} ${s / 2}z`,
  completed: square,
  failed: (x, y, s) => {
    const arm = s / 3;
    const rest = s / 2 - arm / 2;
    return `M${x} ${y}h${arm}l${rest - arm / 2} ${rest}l${rest - arm / 2} ${-rest}h${arm}l${-rest} ${s / 2}l${rest} ${s / 2}h${-arm}l${arm / 2 - rest} ${-rest}l${arm / 2 - rest} ${rest}h${-arm}l${rest} ${-s / 2}z`;
  },
  stopped: (x, y, s) => `M${x} ${y}h${s / 3}v${s}h${-s / 3}zM${x + (s * 2) / 3} ${y}h${s / 3}v${s}h${-s / 3}z`,
  paused: (x, y, s) => `M${x} ${y + s / 2}a${s / 2} ${s / 2} 0 1 1 ${s} 0a${s / 2} ${s / 2} 0 1 1 ${-s} 0z`,
  waiting: (x, y, s) => `M${x + s / 2} ${y}l${s / 2} ${s / 2}l${-s / 2} ${s / 2}l${-s / 2} ${-s / 2}z`,
  skipped: (x, y, s) => `M${x} ${y + s / 2 - 1}h${s}v2h${-s}z`,
};
