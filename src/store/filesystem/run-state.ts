import type { RunHead } from "../../core/model/run.ts";
import type { Change } from "./group.ts";
import { rowIndex } from "./row-index.ts";
import type { RowIndex, StoredRows } from "./row-index.ts";

/** A place in a journal: a byte of one of its segments. */
export interface Position {
  readonly segment: number;
  readonly bytes: number;
}

/** Before the first segment. */
export const NOWHERE: Position = { segment: -1, bytes: 0 };

/** What follows from the journal of a run up to a position. */
export interface RunState {
  head: RunHead | undefined;
  /** The position up to which the journal is folded into this state. */
  position: Position;
  /** Where groups start, about every 64 kB, for reading from the middle. */
  readonly marks: Mark[];
  readonly rows: RowIndex;
  readonly dropped: Map<string, number>;
  apply(change: Change): void;
}

/** The start of a group, and the number of entries before it. */
export interface Mark extends Position {
  readonly entries: number;
}

const MARK_DISTANCE = 65_536;

/** Returns the state of an empty journal, with rows of its index if they are known from elsewhere. */
export function emptyState(stored?: StoredRows): RunState {
  const rows = rowIndex(stored);
  const dropped = new Map<string, number>();
  return {
    head: undefined,
    position: NOWHERE,
    marks: [],
    rows,
    dropped,
    apply(change) {
      this.head = change.head;
      for (const [key, revision] of change.dropped) dropped.set(key, revision);
      rows.apply(change);
    },
  };
}

/** Returns the place of the first entry that is kept: that of the base, if there is one. */
export function firstKept({ head }: RunState): number {
  return head?.base ? head.base - 1 : 0;
}

/** Remembers where a group starts, if the last mark is far enough away. */
export function markGroup(state: RunState, start: Position): void {
  addMark(state.marks, { ...start, entries: state.head?.entries ?? 0 });
}

/** Adds a mark, if the last one is far enough away. */
export function addMark(marks: Mark[], mark: Mark): void {
  const last = marks.at(-1);
  if (last === undefined || last.segment !== mark.segment || mark.bytes - last.bytes >= MARK_DISTANCE) marks.push(mark);
}
