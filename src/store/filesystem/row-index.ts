import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import { compareRows, rowKey } from "../listing.ts";
import type { RowPlace } from "../listing.ts";
import { timeline } from "../timeline.ts";
import type { TimelineNode } from "../timeline.ts";
import type { Change } from "./group.ts";
import { mergeDescending } from "./merge.ts";
import type { LazyWalk } from "./merge.ts";
import { cutRows, isPiece, PIECE_ROWS, readPiece } from "./row-pieces.ts";
import type { Piece } from "./row-pieces.ts";

/** The most removed rows that are remembered beside their pieces; with more, all pieces are written again. */
const MAX_GONE = 1024;

/** The rows of a run's checkpoints, in order. */
export interface RowIndex {
  /** How many there are, or a few more. */
  readonly size: number;
  /** No row is newer than this (milliseconds since the epoch); nothing if there never was a row. Known without reading them. */
  readonly newest: number | undefined;
  /** Rows in descending order; with `after`, only those before that place. Reads only the rows that are taken. */
  descending(after?: RowPlace): Generator<CheckpointRow, void, undefined>;
  apply(change: Pick<Change, "checkpoints" | "forgotten">): void;
  /** All of them as a sidecar holds them. */
  store(head: RunHead): { readonly bytes: Buffer; readonly layout: RowLayout };
}

/** The places of rows in a sidecar. */
export interface RowLayout {
  /** In the order of the file; the first begins at the first byte. */
  readonly pieces: readonly Piece[];
  /** Removed rows that are still in pieces before the one with this index. */
  readonly gone: readonly (readonly [key: number, before: number])[];
  readonly newest: number | undefined;
}

/** Stored rows, read on demand. */
export interface StoredRows {
  readonly layout: RowLayout;
  /** Reads some bytes of the pieces; nothing if they no longer exist. The caller checks that they are the right ones. */
  bytes(from: number, to: number): Buffer | undefined;
  /** The same rows from the journal, for when a piece is lost. */
  fromJournal(): Iterable<CheckpointRow>;
}

/** A piece does not match: the sidecar was damaged or replaced. */
class PieceLost extends Error {}

/**
 * An index that starts with the rows that were stored. They are read piece by piece, from the newest on: a page of a long run costs no more
 * than one of a short run.
 */
export function rowIndex(stored?: StoredRows): RowIndex {
  /** The pieces, with the first byte of each, and its rows once they were read. */
  let pieces = placed(stored?.layout.pieces ?? []);
  let gone = new Map(stored?.layout.gone);
  const highest = Math.max(-1, ...pieces.map(({ piece }) => piece.highest));
  /** Rows added since; all rows if none are stored. */
  let rows = timeline<CheckpointRow, RowPlace>(compareRows);
  const nodes = new Map<number, TimelineNode<CheckpointRow>>();
  let newest = stored?.layout.newest;
  let cut: CutRows | undefined;

  function add(row: CheckpointRow): void {
    if (cut !== undefined && compareRows(row, cut.last) < 0) cut = undefined;
    nodes.set(rowKey(row), rows.add(row));
  }

  function forget(key: number): void {
    const node = nodes.get(key);
    if (node !== undefined) {
      rows.remove(node);
      cut = undefined;
    }
    nodes.delete(key);
    if (key <= highest && pieces.some(({ piece }) => piece.lowest <= key && key <= piece.highest)) gone.set(key, pieces.length);
  }

  /** The rows of a piece that are not gone, in order. */
  function living(index: number): readonly CheckpointRow[] {
    const place = pieces[index];
    if (place === undefined) throw new PieceLost();
    if (place.rows === undefined) {
      const { piece, start } = place;
      const bytes = stored!.bytes(start, start + piece.bytes);
      place.rows = bytes && readPiece(piece, bytes);
      if (place.rows === undefined) throw new PieceLost();
    }
    return gone.size === 0 ? place.rows : place.rows.filter((row) => (gone.get(rowKey(row)) ?? 0) <= index);
  }

  function* walkPiece(index: number, after: RowPlace | undefined): Generator<CheckpointRow, void, undefined> {
    for (const row of living(index).toReversed()) if (after === undefined || compareRows(row, after) < 0) yield row;
  }

  function walk(after: RowPlace | undefined): Generator<CheckpointRow, void, undefined> {
    if (pieces.length === 0) return rows.descending(after);
    if (pieces.length === 1 && rows.size === 0) return walkPiece(0, after);
    const walks: LazyWalk<CheckpointRow, RowPlace>[] = pieces.flatMap(({ piece }, index) =>
      after !== undefined && piece.oldest > after.createdAt ? [] : [{ bound: above(piece.newest), begin: () => walkPiece(index, after) }],
    );
    return mergeDescending([...walks, { bound: above(Infinity), begin: () => rows.descending(after) }], compareRows);
  }

  /** Takes the rows of the pieces from the journal. */
  function recover(): void {
    if (pieces.length === 0) return;
    const before = [...stored!.fromJournal()].filter((row) => !nodes.has(rowKey(row)) && gone.get(rowKey(row)) !== pieces.length);
    const since = [...rows.descending()];
    // Running iterations keep the pieces that they began with.
    pieces = [];
    gone = new Map();
    cut = undefined;
    rows = timeline<CheckpointRow, RowPlace>(compareRows);
    for (const row of before.toReversed()) add(row);
    for (const row of since.toReversed()) add(row);
  }

  /** The bytes of the first pieces as they were written. */
  function copied(count: number): Buffer {
    const last = pieces[count - 1];
    if (last === undefined) return Buffer.alloc(0);
    const bytes = stored!.bytes(0, last.start + last.piece.bytes);
    const isWhole = ({ piece, start }: PlacedPiece): boolean => isPiece(piece, bytes!.subarray(start, start + piece.bytes));
    if (bytes === undefined || !pieces.slice(0, count).every(isWhole)) throw new PieceLost();
    return bytes;
  }

  /** Writes what came since behind the pieces that are full. */
  function write(head: RunHead): ReturnType<RowIndex["store"]> {
    let kept = pieces.length;
    if (gone.size > MAX_GONE) kept = 0;
    else if (rows.size > 0 && kept > 0 && pieces[kept - 1]!.piece.rows < PIECE_ROWS) kept -= 1;
    const full = cut?.kept === kept && cut.gone === gone.size ? cut : undefined;
    const again = pieces.slice(kept).flatMap((_, index) => living(kept + index));
    const since: CheckpointRow[] = [];
    for (const row of rows.descending()) {
      if (full !== undefined && compareRows(row, full.last) <= 0) break;
      since.push(row);
    }
    const behind = again.filter((row) => full === undefined || compareRows(row, full.last) > 0);
    const rest = behind.length === 0 ? since.toReversed() : [...behind, ...since].toSorted(compareRows);
    const added = cutRows(rest, head);
    const whole = Math.floor(rest.length / PIECE_ROWS);
    const last = rest[whole * PIECE_ROWS - 1] ?? full?.last;
    if (last !== undefined) cut = { pieces: [...(full?.pieces ?? []), ...added.slice(0, whole)], last, kept, gone: gone.size };
    const behindKept = [...(full?.pieces ?? []), ...added];
    return {
      bytes: Buffer.concat([copied(kept), ...behindKept.map(({ bytes }) => bytes)]),
      layout: {
        pieces: [...pieces.slice(0, kept).map(({ piece }) => piece), ...behindKept.map(({ piece }) => piece)],
        gone: kept === 0 ? [] : [...gone].map(([key, before]) => [key, Math.min(before, kept)] as const),
        newest,
      },
    };
  }

  return {
    get size() {
      return pieces.reduce((sum, { piece }) => sum + piece.rows, rows.size);
    },
    get newest() {
      return newest;
    },
    *descending(after) {
      let last = after;
      try {
        for (const row of walk(after)) {
          last = row;
          yield row;
        }
        return;
      } catch (error) {
        if (!(error instanceof PieceLost)) throw error;
      }
      recover();
      yield* rows.descending(last);
    },
    apply({ checkpoints, forgotten }) {
      for (const row of forgotten) forget(rowKey(row));
      for (const row of checkpoints) {
        newest = Math.max(newest ?? row.createdAt, row.createdAt);
        forget(rowKey(row));
        add(row);
      }
    },
    store(head) {
      try {
        return write(head);
      } catch (error) {
        if (!(error instanceof PieceLost)) throw error;
        recover();
        return write(head);
      }
    },
  };
}

/** Full pieces of rows that came since: a run that is written down again and again need not cut them anew. */
interface CutRows {
  readonly pieces: readonly { readonly piece: Piece; readonly bytes: Buffer }[];
  /** The last row in them: a row that is added before it, or removed, makes them invalid. */
  readonly last: CheckpointRow;
  /** How many pieces stood before them, and how many rows were gone from those. */
  readonly kept: number;
  readonly gone: number;
}

interface PlacedPiece {
  readonly piece: Piece;
  readonly start: number;
  rows?: readonly CheckpointRow[] | undefined;
}

function placed(pieces: readonly Piece[]): PlacedPiece[] {
  let end = 0;
  return pieces.map((piece) => ({ piece, start: (end += piece.bytes) - piece.bytes }));
}

/** A place that no row made at this instant or before comes behind. */
function above(createdAt: number): RowPlace {
  return { createdAt: createdAt + 1, run: "", number: 0, kind: "wave" };
}
