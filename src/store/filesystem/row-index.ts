import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import { compareRows } from "../listing.ts";
import type { RowPlace } from "../listing.ts";
import { timeline } from "../timeline.ts";
import type { TimelineNode } from "../timeline.ts";
import { kindDigit, kindOf, longRow, shortRow } from "./group.ts";
import type { Change, ShortRow } from "./group.ts";

/** Lines after which rows are written anew as one: reading them all takes longer with each. */
const MAX_LINES = 32;
const LINE_FEED = 10;

/** The rows of a run's checkpoints, in order. */
export interface RowIndex {
  /** How many there are, or a few more. */
  readonly size: number;
  /** From the last one down; with `after`, only those before that place. */
  descending(after?: RowPlace): Generator<CheckpointRow, void, undefined>;
  apply(change: Pick<Change, "checkpoints" | "forgotten">): void;
  /** All of them as a sidecar holds them. */
  store(head: RunHead): StoredRows;
}

/** Rows in a sidecar: lines that each add some to those before, or take some away. */
export interface StoredRows {
  readonly lines: Buffer;
  readonly size: number;
}

/** What a line has: what its rows are relative to, the rows, and which of those before it are gone. */
type RowsLine = readonly [
  run: string,
  workflow: string,
  updatedAt: number,
  entries: number,
  rows: readonly ShortRow[],
  left: readonly (readonly [kind: number, number: number])[],
];

/**
 * An index that starts with the given rows. Those that were stored are read when a list asks for them: who goes on with a long run needs none
 * of the checkpoints behind it.
 */
export function rowIndex(stored?: StoredRows): RowIndex {
  const rows = timeline<CheckpointRow, RowPlace>(compareRows);
  const nodes = new Map<number, TimelineNode<CheckpointRow>>();
  let unread = stored;
  /** What followed the rows that were not read, the last word on each row; nothing for one that is gone. */
  const later = new Map<number, CheckpointRow | Pick<CheckpointRow, "kind" | "number">>();

  function forget(key: number): void {
    const node = nodes.get(key);
    if (node !== undefined) rows.remove(node);
    nodes.delete(key);
  }

  function change({ checkpoints, forgotten }: Pick<Change, "checkpoints" | "forgotten">): void {
    for (const row of forgotten) forget(rowKey(row));
    for (const row of checkpoints) {
      forget(rowKey(row));
      nodes.set(rowKey(row), rows.add(row));
    }
  }

  function read(): void {
    if (unread === undefined) return;
    const { lines } = unread;
    unread = undefined;
    for (const line of lines.toString("utf8").split("\n")) change(readLine(line));
    change(changeOf(later.values()));
    later.clear();
  }

  return {
    get size() {
      return (unread?.size ?? rows.size) + later.size;
    },
    descending(after) {
      read();
      return rows.descending(after);
    },
    apply(given) {
      if (unread === undefined) return change(given);
      for (const row of [...given.forgotten, ...given.checkpoints]) {
        later.delete(rowKey(row));
        later.set(rowKey(row), row);
      }
    },
    store(head) {
      if (unread !== undefined && countLines(unread.lines) < MAX_LINES) {
        if (later.size === 0) return unread;
        const line = Buffer.from(`\n${writeLine(changeOf(later.values()), head)}`);
        return { lines: Buffer.concat([unread.lines, line]), size: this.size };
      }
      read();
      const all = { checkpoints: [...rows.descending()].toReversed(), forgotten: [] };
      return { lines: Buffer.from(writeLine(all, head)), size: rows.size };
    },
  };
}

/** Rows that are gone come first: what is written again was there before. */
function changeOf(last: Iterable<CheckpointRow | Pick<CheckpointRow, "kind" | "number">>): Pick<Change, "checkpoints" | "forgotten"> {
  const touched = [...last];
  return { checkpoints: touched.filter((row) => "run" in row), forgotten: touched };
}

function writeLine({ checkpoints, forgotten }: Pick<Change, "checkpoints" | "forgotten">, head: RunHead): string {
  const { id, workflow, updatedAt, entries } = head;
  const rows = checkpoints.map((row) => shortRow(row, head));
  const left = forgotten.map(({ kind, number }) => [kindDigit(kind), number] as const);
  return JSON.stringify([id, workflow, updatedAt, entries, rows, left] satisfies RowsLine);
}

function readLine(line: string): Pick<Change, "checkpoints" | "forgotten"> {
  const [id, workflow, updatedAt, entries, rows, left] = JSON.parse(line) as RowsLine;
  return {
    checkpoints: rows.map((row) => longRow(row, { id, workflow, updatedAt, entries })),
    forgotten: left.map(([kind, number]) => ({ kind: kindOf(kind), number })),
  };
}

function countLines(lines: Buffer): number {
  let count = 1;
  for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

function rowKey(row: Pick<CheckpointRow, "kind" | "number">): number {
  return row.number * 2 + (row.kind === "pause" ? 1 : 0);
}
