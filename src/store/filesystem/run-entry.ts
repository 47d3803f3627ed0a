import type { RunHead } from "../../core/model/run.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { traitsOf } from "../listing.ts";
import type { RunPlace, RunTraits } from "../listing.ts";
import type { RunState } from "./run-state.ts";
import { segmentPath } from "./segments.ts";

/** What lists know of a run without opening it. */
export interface RunEntry extends RunPlace, RunTraits {
  /** As of the head this was made of; while steps follow each other, the run has a higher one. */
  readonly revision: number;
  /** No row of its checkpoint index is newer than this (milliseconds since the epoch), unless the run is running; nothing if it has no rows. */
  readonly newestRow: number | undefined;
  /** The newest segment when the entry was made; nothing if it held more than was read. */
  readonly end: SegmentSeen | undefined;
}

interface SegmentSeen {
  readonly number: number;
  readonly inode: number;
  readonly sizeBytes: number;
  readonly changedAt: number;
  /** When a file of the run was last made, removed or replaced: an older segment may be lost. */
  readonly directoryChangedAt: number;
}

/** Returns the entry of a run that has a head. */
export function entryOf(disk: Disk, directory: string, { head, position, rows }: RunState & { readonly head: RunHead }): RunEntry {
  const facts = disk.facts(segmentPath(directory, position.segment));
  const directoryChangedAt = disk.facts(directory)?.changedAt ?? 0;
  const isWhole = facts?.sizeBytes === position.bytes;
  return {
    id: head.id,
    changedAt: head.changedAt,
    ...traitsOf(head),
    revision: head.revision,
    newestRow: rows.newest,
    end: isWhole
      ? { number: position.segment, inode: facts.inode, sizeBytes: facts.sizeBytes, changedAt: facts.changedAt, directoryChangedAt }
      : undefined,
  };
}

/**
 * Returns whether a run is unchanged since its entry was made: no segment follows its newest one (looked for first), that one is the same, and no file was
 * added or removed.
 */
export function isCurrent(disk: Disk, directory: string, { end }: RunEntry): boolean {
  if (end === undefined || disk.facts(segmentPath(directory, end.number + 1)) !== undefined) return false;
  const facts = disk.facts(segmentPath(directory, end.number));
  return (
    facts?.inode === end.inode &&
    facts.sizeBytes === end.sizeBytes &&
    facts.changedAt === end.changedAt &&
    disk.facts(directory)?.changedAt === end.directoryChangedAt
  );
}

/** Returns whether a state that was just read is the one that an entry was made from. */
export function standsAt({ head, position }: RunState, { revision, end }: RunEntry): boolean {
  return head?.revision === revision && position.segment === end?.number && position.bytes === end.sizeBytes;
}

/**
 * Whether a commit changes what lists go by, so that it is noted for them. A step of a running run does not: they read its head and its newest
 * rows in any case. A new run need not be noted: the directory that it comes into tells of it.
 */
export function changesLists(head: RunHead, before: RunHead | undefined): boolean {
  if (before === undefined) return false;
  return head.status !== "running" || before.status !== "running" || head.changedAt !== before.changedAt;
}

type EntryLine = readonly [
  changedAt: number,
  id: string,
  revision: number,
  status: RunHead["status"],
  workflow: string,
  isCalled: 0 | 1,
  newestRow: number | null,
  ...end: readonly number[],
];

/** An entry as a line of text. */
export function entryLine({ id, changedAt, revision, status, workflow, isCalled, newestRow, end }: RunEntry): string {
  const seen = end === undefined ? [] : [end.number, end.inode, end.sizeBytes, end.changedAt, end.directoryChangedAt];
  return JSON.stringify([changedAt, id, revision, status, workflow, isCalled ? 1 : 0, newestRow ?? null, ...seen] satisfies EntryLine);
}

/** The entry that {@link entryLine} wrote. */
export function readEntryLine(line: string): RunEntry {
  const [changedAt, id, revision, status, workflow, isCalled, newestRow, number, inode, sizeBytes, segmentAt, directoryAt] = JSON.parse(
    line,
  ) as EntryLine;
  return {
    id,
    changedAt,
    revision,
    status,
    workflow,
    isCalled: isCalled === 1,
    newestRow: newestRow ?? undefined,
    end:
      number === undefined
        ? undefined
        : { number, inode: inode!, sizeBytes: sizeBytes!, changedAt: segmentAt!, directoryChangedAt: directoryAt! },
  };
}
