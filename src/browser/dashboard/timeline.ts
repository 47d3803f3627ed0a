import type { Step } from "../../core/model/run.ts";
import type { BlockStatus, BlockView, RunView } from "../../core/model/view.ts";
import { timeScale, unite, type Stretch } from "./time-scale.ts";

/** One execution of a block on the timeline. Instants are milliseconds since the epoch. */
export interface Bar extends Stretch {
  /** Later it only waits, for an answer or an instant. */
  readonly workedUntil: number;
  readonly status: BlockStatus;
}

/** A block on the timeline, and when it worked: a bar for each execution, the oldest first. */
export interface TimelineRow {
  readonly block: BlockView;
  readonly bars: readonly Bar[];
}

/** What of a run the timeline is made of. */
export type TimelineView = Pick<RunView, "waves" | "compensations" | "createdAt">;

/** When the blocks of a run worked. */
export interface Timeline {
  /** In the order of the plan; what undoes them stands last. */
  readonly rows: readonly TimelineRow[];
  readonly startedAt: number;
  readonly endedAt: number;
  /** Milliseconds in which at least one block worked. */
  readonly activeMs: number;
  /** The execution that worked longest; nothing where none began. */
  readonly longest: { readonly block: string; readonly ms: number } | undefined;
  /** How far along an instant is, from 0 to 1. Time in which the run only waits takes little of it. */
  at(instant: number): number;
}

/** Arranges the records of a run, and what its blocks do at the instant `now`. */
export function timelineOf(view: TimelineView, steps: readonly Step[], now: number): Timeline {
  const blocks = [...view.waves.flatMap((wave) => wave.blocks), ...(view.compensations ?? [])];
  const bars = barsOf(blocks, steps, now);
  const rows = blocks.map((block) => ({ block, bars: bars.get(block.id)! }));
  const drawn = rows.flatMap((row) => row.bars);
  const startedAt = Math.min(view.createdAt, ...drawn.map(({ from }) => from));
  const endedAt = Math.max(startedAt + 1, ...drawn.map(({ to }) => to));
  const work = drawn.map(({ from, workedUntil }) => ({ from, to: workedUntil }));
  return {
    rows,
    startedAt,
    endedAt,
    activeMs: unite(work).reduce((sum, { from, to }) => sum + to - from, 0),
    longest: longestOf(rows),
    at: timeScale({ from: startedAt, to: endedAt }, work),
  };
}

/** The steps of items are left out: the step of their block spans them. */
function barsOf(blocks: readonly BlockView[], steps: readonly Step[], now: number): ReadonlyMap<string, readonly Bar[]> {
  const bars = new Map(blocks.map(({ id }): [string, Bar[]] => [id, []]));
  for (const { block, item, status, startedAt, tookMs, at } of steps) {
    if (item !== undefined || !SETTLED.has(status)) continue;
    bars.get(block)?.push({ from: startedAt, to: Math.max(at, startedAt + tookMs), workedUntil: startedAt + tookMs, status });
  }
  for (const { id, status, startedAt, tookMs } of blocks) {
    const over = bars.get(id)!;
    if (startedAt === undefined || over.some(({ from }) => from === startedAt)) continue;
    if (OPEN.has(status)) over.push({ from: startedAt, to: now, workedUntil: status === "running" ? now : startedAt, status });
    // Its record is read a moment later.
    else if (SETTLED.has(status) && tookMs !== undefined)
      over.push({ from: startedAt, to: startedAt + tookMs, workedUntil: startedAt + tookMs, status });
  }
  return bars;
}

const OPEN: ReadonlySet<BlockStatus> = new Set(["running", "paused", "waiting"]);
const SETTLED: ReadonlySet<BlockStatus> = new Set(["completed", "failed", "stopped"]);

function longestOf(rows: readonly TimelineRow[]): Timeline["longest"] {
  let longest: Timeline["longest"];
  for (const { block, bars } of rows) {
    for (const { from, workedUntil } of bars) {
      if (!longest || workedUntil - from > longest.ms) longest = { block: block.id, ms: workedUntil - from };
    }
  }
  return longest;
}
