import type { Commit } from "../../core/ports/store.ts";
import { encodeBase } from "./packed-state.ts";
import { readEntries } from "./fold.ts";
import type { Change } from "./group.ts";
import type { OpenRun } from "./open-run.ts";
import { addMark, emptyState } from "./run-state.ts";
import type { Mark, Position, RunState } from "./run-state.ts";
import { readSegment, replacedSegments, segmentChain, segmentHeader } from "./segments.ts";
import type { Segment } from "./segments.ts";

/** The most segments that a new writer continues from; more are merged. */
const MAX_SEGMENTS = 3;

/** A long journal may have one more segment for each so many bytes, since merging copies all of it. */
const BYTES_A_SEGMENT = 524_288;

/**
 * What a segment begins with that stands for all segments before it: a base and what it adds up to, or the groups of all of them.
 *
 * Readers hold no lock and may be stopped at any point, so three things keep it safe. Its bytes are on the disk before its header is written,
 * and readers skip a segment without a header: so a crash leaves the segments before it as they are. They are removed after the header is
 * on the disk, oldest first, and the newest segment is never removed: so no number is ever given to two files that hold something, and a
 * reader that still has an old list finds a file missing or empty, never another one, and looks again. What is in a segment up to where the
 * next one counts it never changes: so merging copies only what a later header can no longer take back.
 */
export interface WholeSegment {
  readonly header: Buffer;
  /** What follows the header. */
  readonly bytes: Buffer;
  /** What all of it adds up to, with its places in the new segment. */
  readonly state: RunState;
}

/** Where a whole segment is to stand, and what it stands for. */
interface Place {
  readonly segment: number;
  readonly chain: readonly Segment[];
}

/** The segment of a commit with a base: the base, the entries behind it, and what all of them add up to. */
export function baseSegment(run: OpenRun, commit: Commit, change: Change): WholeSegment {
  const place = placeOf(run);
  const header = headerOf(run, place.chain);
  const state = replaced(run.state, change);
  const bytes = encodeBase([commit.base!.text, ...entriesBehind(run, place.chain, commit)], state);
  state.position = { segment: place.segment, bytes: header.length + bytes.length };
  return { header, bytes, state };
}

/** The segment with which a new writer merges those before its own; nothing if they are few. */
export function mergedSegment(run: OpenRun): WholeSegment | undefined {
  const { header: pending, chain, segment } = run.writer!;
  const length = chain.reduce((sum, { start, end }) => sum + end - start, 0);
  if (pending === undefined || chain.length <= MAX_SEGMENTS + Math.floor(length / BYTES_A_SEGMENT)) return undefined;
  const header = headerOf(run, chain);
  const moves = new Map<number, number>();
  const parts: Buffer[] = [];
  let bytes = header.length;
  for (const { number, start, end } of endingAt(chain, run.state.position)) {
    const part = readSegment(run, number, { from: start, to: end });
    moves.set(number, bytes - start);
    parts.push(part);
    bytes += part.length;
  }
  const marks: Mark[] = [];
  for (const mark of run.state.marks) addMark(marks, { segment, bytes: mark.bytes + moves.get(mark.segment)!, entries: mark.entries });
  return { header, bytes: Buffer.concat(parts), state: { ...run.state, position: { segment, bytes }, marks } };
}

/** In the segment of a writer that has written nothing to it, else in the one behind it. */
function placeOf(run: OpenRun): Place {
  const { header, chain, segment } = run.writer!;
  return header === undefined ? { segment: segment + 1, chain: segmentChain(run, segment + 1) } : { segment, chain };
}

function headerOf({ state: { position } }: OpenRun, chain: readonly Segment[]): Buffer {
  return segmentHeader(position, replacedSegments(endingAt(chain, position)));
}

function endingAt(chain: readonly Segment[], { segment, bytes }: Position): readonly Segment[] {
  return chain.map((part) => (part.number === segment ? { ...part, end: bytes } : part));
}

/** What the state will be: a copy, since the commit may fail. */
function replaced({ head, rows, dropped }: RunState, change: Change): RunState {
  const state = emptyState();
  if (head !== undefined) {
    state.apply({ head, checkpoints: [...rows.descending()].toReversed(), forgotten: [], dropped: [...dropped] });
  }
  state.apply(change);
  return state;
}

/** The entries that the base of a commit does not stand for: stored ones, and new ones. */
function entriesBehind(run: OpenRun, chain: readonly Segment[], { base, entries, head }: Commit): readonly string[] {
  const { at } = base!;
  const known = run.state.head?.entries ?? 0;
  const from = head.entries - entries.length;
  const stored = at < known ? readEntries(run, chain, run.state, { from: at, to: known }) : [];
  return [...stored, ...entries.slice(Math.max(0, at - from))];
}
