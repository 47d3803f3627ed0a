import { type Plan, planWaves } from "../core/definition/definition.ts";
import type { Workflow } from "../core/model/workflow.ts";

/** Where the blocks of a workflow stand: waves are columns, and all columns share one grid of rows. */
export interface GraphLayout {
  readonly plan: Plan;
  /** The blocks of each wave, and behind them those that undo others, where there are any. */
  readonly waves: Plan["waves"];
  readonly columns: readonly GraphColumn[];
  /** Rows of the grid. */
  readonly rows: number;
  /** By the number of the block. */
  readonly columnOf: Int32Array;
  readonly rowOf: Int32Array;
}

/** A wave, or a part of a wave that is too high for one column. */
export interface GraphColumn {
  readonly wave: number;
  /** Numbers of blocks, from top to bottom. */
  readonly blocks: readonly number[];
}

/** Rows that a column may always have. */
const MIN_ROWS = 18;
/** How much wider than high a wide wave is drawn, as columns are wider than rows are high. */
const STRETCH = 2;

/**
 * Gives each block a place: near the middle of what it depends on, or undoes, so that chains run straight and edges cross rarely. A wave with many
 * blocks takes several columns. Throws what `planWaves` throws.
 */
export function layoutGraph({ blocks }: Workflow): GraphLayout {
  const plan = planWaves(blocks);
  const undone = new Map([...plan.compensations].map(([of, by]) => [by, [of]]));
  const undoing = [...undone.keys()];
  const waves = undoing.length > 0 ? [...plan.waves, undoing] : plan.waves;
  const widest = Math.max(1, ...waves.map((wave) => wave.length));
  const most = Math.max(MIN_ROWS, Math.ceil(Math.sqrt(widest * STRETCH)));
  const rows = Math.min(widest, most);
  const columnOf = new Int32Array(blocks.length);
  const rowOf = new Int32Array(blocks.length);
  const columns: GraphColumn[] = [];
  for (const [wave, members] of waves.entries()) {
    const wanted = new Map(members.map((block) => [block, meanRow(undone.get(block) ?? dependenciesOf(plan, block), rowOf)]));
    const sorted = members.toSorted((a, b) => wanted.get(a)! - wanted.get(b)!);
    const parts = Math.ceil(sorted.length / rows);
    for (let part = 0; part < parts; part++) {
      const column = evenPart(sorted, part, parts);
      const places = placeRows(
        column.map((block) => wanted.get(block)!),
        rows,
      );
      for (const [i, block] of column.entries()) {
        columnOf[block] = columns.length;
        rowOf[block] = places[i]!;
      }
      columns.push({ wave, blocks: column });
    }
  }
  return { plan, waves, columns, rows, columnOf, rowOf };
}

function dependenciesOf({ dependencyStart, dependencies }: Plan, block: number): Int32Array {
  return dependencies.subarray(dependencyStart[block]!, dependencyStart[block + 1]!);
}

/** The mean row of these blocks; no number where there are none. */
function meanRow(blocks: readonly number[] | Int32Array, rowOf: Int32Array): number {
  let sum = 0;
  for (const block of blocks) sum += rowOf[block]!;
  return sum / blocks.length;
}

function evenPart(items: readonly number[], part: number, parts: number): readonly number[] {
  return items.slice(Math.round((items.length * part) / parts), Math.round((items.length * (part + 1)) / parts));
}

/**
 * Rows for blocks in this order, each its own, as near as possible to those wanted: where several want the same, they stand around it.
 * Where none wants any, they stand in the middle.
 */
function placeRows(wanted: readonly number[], rows: number): readonly number[] {
  const free = rows - wanted.length;
  // Pools of neighbours that would stand on each other's toes: they share the mean of their shifts (isotonic regression).
  const pools: { sum: number; count: number }[] = [];
  for (const [i, row] of wanted.entries()) {
    let pool = { sum: Number.isNaN(row) ? free / 2 : row - i, count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count >= pool.sum / pool.count; last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const shifts = pools.flatMap(({ sum, count }) => new Array<number>(count).fill(Math.round(sum / count)));
  return shifts.map((shift, i) => Math.min(Math.max(shift, 0), free) + i);
}
