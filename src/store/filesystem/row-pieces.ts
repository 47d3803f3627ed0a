import { crc32 } from "node:zlib";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { rowKey } from "../listing.ts";
import { longRow, shortRow } from "../short-row.ts";
import type { RowFrame, ShortRow } from "../short-row.ts";

/** Rows of a piece that is full: few enough to be read for one page, many enough that a list of all pieces stays short. */
export const PIECE_ROWS = 512;

/** Some rows of a checkpoint index that are stored, read and checked together. */
export interface Piece {
  readonly bytes: number;
  readonly checksum: number;
  readonly rows: number;
  /** Instants between which its rows were made. */
  readonly oldest: number;
  readonly newest: number;
  /** Between which the keys of its rows lie. */
  readonly lowest: number;
  readonly highest: number;
}

/** A piece as a sidecar holds it. */
export type PackedPiece = readonly number[];

/** What a piece stores: what its rows are relative to, and the rows. */
type PieceContent = readonly [id: string, workflow: string, updatedAt: number, entries: number, rows: readonly ShortRow[]];

/** Rows, in order, as pieces with the bytes of each. */
export function cutRows(rows: readonly CheckpointRow[], frame: RowFrame): { readonly piece: Piece; readonly bytes: Buffer }[] {
  const cut: { readonly piece: Piece; readonly bytes: Buffer }[] = [];
  for (let start = 0; start < rows.length; start += PIECE_ROWS) cut.push(writePiece(rows.slice(start, start + PIECE_ROWS), frame));
  return cut;
}

function writePiece(rows: readonly CheckpointRow[], frame: RowFrame): { readonly piece: Piece; readonly bytes: Buffer } {
  const { id, workflow, updatedAt, entries } = frame;
  const short = rows.map((row) => shortRow(row, frame));
  const bytes = Buffer.from(`${JSON.stringify([id, workflow, updatedAt, entries, short] satisfies PieceContent)}\n`);
  const keys = rows.map(rowKey);
  const piece: Piece = {
    bytes: bytes.length,
    checksum: crc32(bytes),
    rows: rows.length,
    oldest: rows[0]!.createdAt,
    newest: rows.at(-1)!.createdAt,
    lowest: Math.min(...keys),
    highest: Math.max(...keys),
  };
  return { piece, bytes };
}

/** Returns the rows of a piece, in order; nothing if the bytes were damaged. */
export function readPiece(piece: Piece, bytes: Buffer): readonly CheckpointRow[] | undefined {
  if (!isPiece(piece, bytes)) return undefined;
  const [id, workflow, updatedAt, entries, rows] = JSON.parse(bytes.toString("utf8")) as PieceContent;
  return rows.map((row) => longRow(row, { id, workflow, updatedAt, entries }));
}

/** Whether these are the bytes of a piece. */
export function isPiece({ checksum }: Piece, bytes: Buffer): boolean {
  return crc32(bytes) === checksum;
}

/** A piece in as few characters as it takes. */
export function packPiece({ bytes, checksum, rows, oldest, newest, lowest, highest }: Piece): PackedPiece {
  return [bytes, checksum, rows, oldest, newest - oldest, lowest, highest - lowest];
}

/** The piece that {@link packPiece} packed. */
export function unpackPiece(packed: PackedPiece): Piece {
  const [bytes, checksum, rows, oldest, age, lowest, span] = packed as [number, number, number, number, number, number, number];
  return { bytes, checksum, rows, oldest, newest: oldest + age, lowest, highest: lowest + span };
}
