import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { decodeBase } from "./packed-state.ts";
import { damaged } from "./failure.ts";
import { continuesWrite, decodeGroup } from "./group.ts";
import { lineText } from "./line.ts";
import { NOWHERE, type Position, type RunState, emptyState, firstKept, markGroup } from "./run-state.ts";
import { scanGroups, writtenLength } from "./scan.ts";
import { readSegment, segmentChain } from "./segments.ts";
import type { JournalPlace, Segment } from "./segments.ts";
import { lookSteadily } from "./steady.ts";

const NOTHING = Buffer.alloc(0);

/** What folding a chain of segments gives. */
export interface Folded {
  readonly state: RunState;
  /** Bytes of an unfinished write behind it. */
  readonly torn: number;
  /** Where the last write that was read began: it waited until all before it was acknowledged. Nowhere if that cannot be told. */
  readonly acknowledged: Position;
}

/** Brings a state up to the end of a chain of segments. Reads only new bytes. Builds a state anew if it holds bytes that the chain does not count. */
export function foldChain(place: JournalPlace, chain: readonly Segment[], known: RunState): Folded {
  const { run } = place;
  let state = known;
  let acknowledged = NOWHERE;
  let next = 0;
  if (known.position.segment >= 0) {
    const at = chain.findIndex(({ number }) => number === known.position.segment);
    if (at < 0 || chain[at]!.end < known.position.bytes) state = emptyState();
    else next = at;
  }
  let torn = 0;
  for (const segment of chain.slice(next)) {
    const isBegun = state.position.segment === segment.number;
    const seen = isBegun ? state.position.bytes : segment.start;
    if (!isBegun && !segment.replaced) acknowledged = segment.previous;
    const bytes = seen < segment.end ? readSegment(place, segment.number, { from: seen, to: segment.end }) : NOTHING;
    const valid = scanGroups(run, bytes, segment.newest, ({ start, lines, seal }) => {
      try {
        const from = { segment: segment.number, bytes: seen + start };
        // A segment that replaces others holds their writes as one of its own.
        if (from.bytes > segment.start && !segment.replaced && !continuesWrite(seal)) acknowledged = from;
        const base = segment.replaced && seen + start === segment.start ? decodeBase(seal) : undefined;
        if (base === undefined) markGroup(state, from);
        state.apply(base ?? decodeGroup(run, seal, lines.length / 2, state.head));
      } catch (error) {
        throw damaged(run, error instanceof Error ? error.message : String(error));
      }
    });
    // The segment was put in place as a whole: a missing part was lost later.
    if (segment.replaced && state.head === undefined) throw damaged(run, `segment ${segment.number} is not whole`);
    state.position = { segment: segment.number, bytes: seen + valid };
    torn = Math.max(0, writtenLength(bytes) - valid);
  }
  return { state, torn, acknowledged };
}

/**
 * Returns the rows of the checkpoint index at an earlier position of a journal; the current rows if a base has replaced that position. Throws
 * `STORE_DATA_CORRUPT` if the journal is damaged.
 */
export function foldRows(place: JournalPlace, position: Position): Iterable<CheckpointRow> {
  return lookSteadily(place.disk, place.directory, () => {
    const segments = segmentChain(place);
    const at = segments.findIndex(({ number }) => number === position.segment);
    const chain = at < 0 ? segments : [...segments.slice(0, at), { ...segments[at]!, end: position.bytes, newest: false }];
    return foldChain(place, chain, emptyState()).state.rows.descending();
  });
}

/** Reads the entries of a range, up to the position of the state; from the base on, if there is one. */
export function readEntries(
  place: JournalPlace,
  chain: readonly Segment[],
  state: RunState,
  range: { from: number; to: number },
): string[] {
  const mark = state.marks.findLast(({ entries }) => entries <= range.from);
  let entries = mark?.entries ?? firstKept(state);
  const found: string[] = [];
  for (const segment of chain) {
    if (mark !== undefined && segment.number < mark.segment) continue;
    if (segment.number > state.position.segment || entries >= range.to) break;
    const from = segment.number === mark?.segment ? mark.bytes : segment.start;
    const bytes = readSegment(place, segment.number, { from, to: endOf(segment, state.position) });
    scanGroups(place.run, bytes, false, ({ lines }) => {
      for (let line = 0; line < lines.length; line += 2, entries += 1) {
        if (entries >= range.from && entries < range.to) found.push(lineText(bytes, lines[line]!, lines[line + 1]!));
      }
    });
  }
  if (entries < Math.min(range.to, state.head?.entries ?? 0)) throw damaged(place.run, "it is shorter than its head says");
  return found;
}

function endOf(segment: Segment, position: Position): number {
  return segment.number === position.segment ? position.bytes : segment.end;
}
