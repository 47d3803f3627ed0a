import type { RunHead } from "../../core/model/run.ts";
import { longRow, shortRow } from "../short-row.ts";
import type { ShortRow } from "../short-row.ts";
import type { Change } from "./group.ts";
import { sealedLines, textLine } from "./line.ts";
import type { RunState } from "./run-state.ts";

/** What a journal adds up to, as members of a seal: the head, the rows of the index, the notes that were dropped. */
export type PackedState = readonly [head: RunHead, rows: readonly ShortRow[], dropped: Change["dropped"]];

/** Packs a state that has a head. */
function packState({ rows, dropped }: RunState, head: RunHead): PackedState {
  return [head, [...rows.descending()].toReversed().map((row) => shortRow(row, head)), [...dropped]];
}

/** Returns the change that turns an empty state into the packed one. */
export function unpackState([head, rows, dropped]: PackedState): Change {
  return { head, checkpoints: rows.map((row) => longRow(row, head)), forgotten: [], dropped };
}

/** Stands in the seal where other groups have their revision. */
const BASE = "base";

/** The group a segment with a base begins with: the base and the entries behind it, sealed with all that they add up to. */
export function encodeBase(entries: readonly string[], state: RunState): Buffer {
  return sealedLines(entries.map(textLine), [BASE, ...packState(state, state.head!)]);
}

/** The change that a base makes of an empty state; nothing for the seal of another group. */
export function decodeBase(seal: readonly unknown[]): Change | undefined {
  const [kind, ...packed] = seal as readonly [unknown, ...PackedState];
  return kind === BASE ? unpackState(packed) : undefined;
}
