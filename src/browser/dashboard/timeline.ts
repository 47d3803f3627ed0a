import type { Step } from "../../core/model/run.ts";
import type { BlockStatus, RunView } from "../../core/model/view.ts";

/** One execution of a block, or of an item of one, on the timeline. Instants are milliseconds since the epoch. */
export interface TimelineRow {
  /** The block, or an item of it: `block[2]`. */
  readonly name: string;
  readonly status: BlockStatus;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How long it executed; the rest it waited. */
  readonly tookMs: number;
  readonly iteration?: number;
  readonly error?: string;
}

/** What a run executed, in the order in which it began. */
export interface Timeline {
  readonly rows: readonly TimelineRow[];
  readonly startedAt: number;
  readonly endedAt: number;
  /** Milliseconds in which at least one block executed. */
  readonly activeMs: number;
  /** How far along an instant is, from 0 to 1; `active` counts only the time in which blocks executed. */
  at(instant: number, scale: TimeScale): number;
}

export type TimeScale = "clock" | "active";

/** Statuses in which a step is not over. */
const OPEN: ReadonlySet<BlockStatus> = new Set<BlockStatus>(["paused", "waiting"]);

/** Arranges the records of a run, and the blocks that execute right now. */
export function timelineOf(view: RunView, steps: readonly Step[], now: number): Timeline {
  const end = view.endedAt ?? now;
  const rows = [...steps.flatMap((step) => rowOf(step, end)), ...runningRows(view, now)].toSorted((a, b) => a.startedAt - b.startedAt);
  const startedAt = Math.min(view.createdAt, ...rows.map((row) => row.startedAt));
  const endedAt = Math.max(startedAt + 1, ...rows.map((row) => row.endedAt));
  const active = unite(rows.map(executing));
  const activeMs = active.reduce((sum, [from, to]) => sum + to - from, 0);
  return {
    rows,
    startedAt,
    endedAt,
    activeMs,
    at: (instant, scale) => (scale === "clock" ? (instant - startedAt) / (endedAt - startedAt) : before(active, instant) / (activeMs || 1)),
  };
}

function rowOf({ block, item, iteration, status, startedAt, at, tookMs, error }: Step, end: number): readonly TimelineRow[] {
  if (status === "skipped") return [];
  return [
    {
      name: item === undefined ? block : `${block}[${item}]`,
      status,
      startedAt,
      endedAt: OPEN.has(status) ? Math.max(at, end) : at,
      tookMs,
      ...(iteration !== undefined && { iteration }),
      ...(error && { error: error.message }),
    },
  ];
}

/** What has no record yet. */
function runningRows({ waves, compensations = [] }: RunView, now: number): readonly TimelineRow[] {
  return [...waves.flatMap(({ blocks }) => blocks), ...compensations].flatMap(({ id, items = [], ...block }) => {
    const units = [{ ...block, name: id }, ...items.map((item, i) => ({ ...item, name: `${id}[${i}]` }))];
    return units.flatMap(({ name, status, startedAt, iteration }) =>
      status === "running" && startedAt !== undefined
        ? [{ name, status, startedAt, endedAt: now, tookMs: now - startedAt, ...(iteration !== undefined && { iteration }) }]
        : [],
    );
  });
}

type Span = readonly [from: number, to: number];

/** When a row executed, as far as its record says: it waited after it had begun. */
function executing({ startedAt, endedAt, tookMs }: TimelineRow): Span {
  return [startedAt, Math.min(endedAt, startedAt + tookMs)];
}

/** Spans of time without what they have in common. */
function unite(spans: readonly Span[]): readonly Span[] {
  const united: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = united.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else united.push([from, to]);
  }
  return united;
}

/** Milliseconds of the spans that lie before an instant. */
function before(spans: readonly Span[], instant: number): number {
  return spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, instant) - from), 0);
}
