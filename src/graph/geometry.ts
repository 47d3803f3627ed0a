import type { Workflow } from "../core/model/workflow.ts";
import { shortened } from "./label.ts";
import type { GraphLayout } from "./layout.ts";

/** Sizes in pixels. */
const NODE_HEIGHT = 46;
const ROW_GAP = 24;
export const MARGIN = 24;
/** Between the top of a wave and its first row, where its number stands. */
const WAVE_HEAD = 34;
const COLUMN_GAP = 56;
const HEADER = 52;
const PITCH: number = NODE_HEIGHT + ROW_GAP;
const MIN_WIDTH = 120;
const PADDING = 16;

/** Characters of an id or a type that a box shows. */
const MAX_LABEL = 28;
/** Pixels that a character of a label takes at most on average, in any platform's font. */
const ID_CHARACTER = 7.7;
const TYPE_CHARACTER = 6.4;

/** Where everything of a drawn workflow stands, in pixels. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** The frame of each wave, and behind them that of the blocks that undo others, where there are any. */
  readonly waves: readonly Box[];
  /** The box of each block, by its number. */
  readonly nodes: readonly Box[];
  /** The right edge of each column. */
  readonly rightOf: Float64Array;
  /** The height of the free lane above a row; that below the last one for the number of rows. */
  laneAbove(row: number): number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Labels of a box. */
export function nodeLabels({ id, type }: Workflow["blocks"][number]): readonly [id: string, type: string] {
  return [shortened(id, MAX_LABEL), shortened(type, MAX_LABEL)];
}

/** Turns the places of a layout into pixels. */
export function measureGraph({ blocks }: Workflow, { columns, rows, columnOf, rowOf, waves }: GraphLayout): Geometry {
  const top = HEADER + MARGIN + WAVE_HEAD;
  const left = new Float64Array(columns.length);
  const rightOf = new Float64Array(columns.length);
  let x = MARGIN + PADDING;
  for (const [i, column] of columns.entries()) {
    left[i] = x;
    let width = MIN_WIDTH;
    for (const block of column.blocks) width = Math.max(width, labelWidth(blocks[block]!));
    x += Math.ceil(width);
    rightOf[i] = x;
    x += COLUMN_GAP;
  }
  const bottom = top + rows * PITCH - ROW_GAP;
  const frames = waves.map((): Box => ({
    x: 0,
    y: HEADER + MARGIN,
    width: 0,
    height: bottom + PADDING + ROW_GAP / 2 - HEADER - MARGIN,
  }));
  for (const [i, { wave }] of columns.entries()) {
    const frame = frames[wave]!;
    const start = frame.width === 0 ? left[i]! - PADDING : frame.x;
    frames[wave] = { ...frame, x: start, width: rightOf[i]! + PADDING - start };
  }
  const nodes = blocks.map((_, block): Box => {
    const column = columnOf[block]!;
    return { x: left[column]!, y: top + rowOf[block]! * PITCH, width: rightOf[column]! - left[column]!, height: NODE_HEIGHT };
  });
  return {
    width: Math.max(x - COLUMN_GAP + PADDING + MARGIN, 2 * MARGIN + MIN_WIDTH),
    height: bottom + PADDING + ROW_GAP / 2 + MARGIN,
    waves: frames,
    nodes,
    rightOf,
    laneAbove: (row) => top + row * PITCH - ROW_GAP / 2,
  };
}

function labelWidth(block: Workflow["blocks"][number]): number {
  const [id, type] = nodeLabels(block);
  return Math.max(id.length * ID_CHARACTER, type.length * TYPE_CHARACTER) + 2 * PADDING;
}
