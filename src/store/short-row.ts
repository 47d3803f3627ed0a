import { CHECKPOINT_KINDS, type CheckpointKind, type CheckpointRow } from "../core/model/checkpoint.ts";
import type { RunHead } from "../core/model/run.ts";

/** Kind and number; time, entries and workflow if they differ from the head's; then the data that a store with a key adds. */
export type ShortRow = readonly [
  kind: number,
  number: number,
  createdAt?: number,
  entries?: number,
  workflow?: string | 0,
  sealed?: string,
];

/** What of a head a row is written relative to. */
export type RowFrame = Pick<RunHead, "id" | "workflow" | "updatedAt" | "entries">;

/** Returns a row as it is written: relative to the head, without defaults. */
export function shortRow(row: CheckpointRow, head: RowFrame): ShortRow {
  const more = [
    row.createdAt - head.updatedAt,
    row.entries - head.entries,
    row.workflow === head.workflow ? 0 : row.workflow,
    row.sealed ?? 0,
  ];
  return [kindDigit(row.kind), row.number, ...trimmed(more)] as unknown as ShortRow;
}

/** The row that was written short. */
export function longRow([kind, number, later = 0, more = 0, workflow = 0, sealed]: ShortRow, head: RowFrame): CheckpointRow {
  return {
    run: head.id,
    workflow: workflow === 0 ? head.workflow : workflow,
    kind: kindOf(kind),
    number,
    createdAt: head.updatedAt + later,
    entries: head.entries + more,
    ...(sealed !== undefined && { sealed }),
  };
}

/** A list without the zeros at its end. */
export function trimmed(list: readonly unknown[]): readonly unknown[] {
  return list.slice(0, list.findLastIndex((item) => item !== 0) + 1);
}

/** A kind of row as it is written. */
export function kindDigit(kind: CheckpointKind): number {
  return CHECKPOINT_KINDS.indexOf(kind);
}

/** The kind that {@link kindDigit} wrote. */
export function kindOf(digit: number): CheckpointKind {
  return CHECKPOINT_KINDS[digit] ?? "pause";
}
