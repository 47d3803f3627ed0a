import type { RunHead } from "../../core/model/run.ts";
import { longRow, shortRow } from "../short-row.ts";
import type { ShortRow } from "../short-row.ts";
import type { Change } from "./group.ts";
import type { RunState } from "./run-state.ts";

/** What a journal adds up to, as members of a seal: the head, the rows of the index, the notes that were dropped. */
export type PackedState = readonly [head: RunHead, rows: readonly ShortRow[], dropped: Change["dropped"]];

/** Packs a state that has a head. */
export function packState({ rows, dropped }: RunState, head: RunHead): PackedState {
  return [head, [...rows.descending()].toReversed().map((row) => shortRow(row, head)), [...dropped]];
}

/** The change that makes an empty state what was packed. */
export function unpackState([head, rows, dropped]: PackedState): Change {
  return { head, checkpoints: rows.map((row) => longRow(row, head)), forgotten: [], dropped };
}
