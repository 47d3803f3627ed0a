import type { Commit } from "../../core/ports/store.ts";
import { encodeBase } from "./base-group.ts";
import { readEntries } from "./fold.ts";
import type { Change } from "./group.ts";
import { holds } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { emptyState } from "./run-state.ts";
import type { RunState } from "./run-state.ts";
import { placeSegment } from "./segment-writer.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { replacedSegments, segmentChain, segmentHeader } from "./segments.ts";
import type { Segment } from "./segments.ts";

/** A segment that was put in place with all that counts from now on. */
export interface BaseWritten {
  readonly writer: SegmentWriter;
  readonly state: RunState;
}

/**
 * Writes a commit with a base as a segment of its own, which holds the base, the entries behind it and what all of them add up to. Gives
 * nothing where another store took the run. The segments before it are still there; its name is not synced.
 */
export async function writeBase(run: OpenRun, commit: Commit, change: Change): Promise<BaseWritten | undefined> {
  const writer = run.writer!;
  if (!holds(run, writer)) return undefined;
  const state = replaced(run.state, change);
  let bytes: Buffer;
  try {
    bytes = encodeSegment(run, commit, state);
  } catch (error) {
    // What was to be read may be replaced by a base of who took the run meanwhile.
    if (!holds(run, writer)) return undefined;
    throw error;
  }
  state.position = { segment: writer.segment + 1, bytes: bytes.length };
  const placed = await placeSegment(run.disk, run.directory, { before: writer, bytes, temporary: run.temporary() });
  return placed && { writer: placed, state };
}

function encodeSegment(run: OpenRun, commit: Commit, state: RunState): Buffer {
  const chain = segmentChain(run).segments;
  const header = segmentHeader(run.state.position, replacedSegments(chain, run.state.position));
  return Buffer.concat([header, encodeBase([commit.base!.text, ...entriesBehind(run, chain, commit)], state)]);
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
