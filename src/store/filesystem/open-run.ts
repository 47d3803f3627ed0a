import { conflict } from "../check-commit.ts";
import { allSynced } from "./disk.ts";
import { errorCode } from "./failure.ts";
import { type Loaded, loadState } from "./load-state.ts";
import { removeDropped } from "./notes.ts";
import { isCurrent } from "./run-entry.ts";
import type { RunEntry } from "./run-entry.ts";
import { type Position, type RunState, emptyState } from "./run-state.ts";
import { closeSegment, createSegment, holdsRun, inodeOf } from "./segment-writer.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { removeSegments, segmentHeader, segmentPath } from "./segments.ts";
import type { JournalPlace, Segment } from "./segments.ts";
import { readSidecar } from "./sidecar.ts";
import { lookSteadily } from "./steady.ts";

/** What a store instance knows and holds of a run. */
export interface OpenRun extends JournalPlace {
  state: RunState;
  writer: SegmentWriter | undefined;
  /** A writer whose file was closed to spare handles. */
  parked: SegmentWriter | undefined;
  /** One whose file is still empty: the first write to it failed, or what stands before it could not be read. */
  unused: SegmentWriter | undefined;
  /** Where a failed write began: what it may have left behind must never count. */
  abandoned: (Position & { readonly inode: number }) | undefined;
  /** The file behind the position of the state, so that a run deleted and made again is not taken for the old one. */
  inodeSeen: number | undefined;
  /** When that file and the directory were last changed; nothing while this store writes. */
  changesSeen: { readonly segment: number | undefined; readonly directory: number | undefined } | undefined;
  /** Up to where the journal is known to have been acknowledged once, by any store. */
  acknowledged: Position;
  /** Segments beyond that, which other stores wrote and may have died before they synced. */
  unsynced: readonly Segment[];
  /** One stands for all segments before this one. */
  replaced: number;
  temporary(): string;
  warn(message: string): void;
  /** Makes last the names of the directories that hold the one of the run. */
  syncAbove(): Promise<void>;
}

/** Folds what the disk holds beyond the known state. */
export function refresh(run: OpenRun, below: number = Infinity): Loaded {
  const { disk, directory, state, inodeSeen, changesSeen, abandoned, acknowledged } = run;
  run.state = emptyState();
  run.changesSeen = undefined;
  const directoryChangedAt = disk.facts(directory)?.changedAt;
  // A writer looks below the segment that it has just made itself.
  const isWriter = below < Infinity;
  const hasNewFiles = !isWriter && changesSeen?.directory !== directoryChangedAt;
  const loaded = loadState(run, { state, inode: inodeSeen, hasNewFiles, abandoned, acknowledged, below });
  run.state = loaded.state;
  run.acknowledged = loaded.acknowledged;
  const { segment, bytes } = loaded.acknowledged;
  run.unsynced = loaded.chain.filter(({ number, end }) => number > segment || (number === segment && end > bytes));
  const facts = run.state.position.segment < 0 ? undefined : disk.facts(segmentPath(directory, run.state.position.segment));
  run.inodeSeen = facts?.inode;
  if (!isWriter) run.changesSeen = { segment: facts?.changedAt, directory: directoryChangedAt };
  return loaded;
}

/**
 * Whether the journal still ends where the state stands, and no file of it came or went. Spares reading the directory of a run that nothing was
 * written to. What follows is looked for first, as by {@link holdsRun}.
 */
export function isUnchanged({ disk, directory, state: { position }, inodeSeen, changesSeen, abandoned }: OpenRun): boolean {
  if (position.segment < 0 || abandoned !== undefined || changesSeen === undefined) return false;
  if (inodeOf(disk, directory, position.segment + 1) !== undefined) return false;
  const facts = disk.facts(segmentPath(directory, position.segment));
  return (
    facts?.inode === inodeSeen &&
    facts?.sizeBytes === position.bytes &&
    facts.changedAt === changesSeen.segment &&
    disk.facts(directory)?.changedAt === changesSeen.directory
  );
}

/**
 * Takes the state from the sidecar alone, if it goes to the end of a journal of one segment that was read once and has not changed since.
 * Where there are more segments, one of the older ones may be lost: then the chain is read.
 */
export function recall(run: OpenRun, entry: RunEntry): boolean {
  const { disk, directory, state, abandoned } = run;
  const { end } = entry;
  if (state.position.segment >= 0 || abandoned !== undefined || end?.number !== 0 || !isCurrent(disk, directory, entry)) return false;
  const cached = readSidecar(run);
  if (cached?.position.segment !== 0 || cached.position.bytes !== end.sizeBytes) return false;
  run.state = cached;
  run.acknowledged = cached.position;
  run.unsynced = [];
  run.inodeSeen = end.inode;
  run.changesSeen = { segment: end.changedAt, directory: end.directoryChangedAt };
  return true;
}

/** Whether the writer still holds the run. */
export function holds({ disk, directory }: OpenRun, writer: SegmentWriter): boolean {
  return holdsRun(disk, directory, writer);
}

/** Stops writing to the segment that is open. */
export function dropWriter(run: OpenRun): void {
  // A header must not count what may not last; without one the next writer passes the segment over.
  if (run.writer !== undefined && run.unsynced.length > 0) run.writer.header = undefined;
  if (run.writer !== undefined) closeSegment(run.disk, run.writer);
  run.writer = undefined;
}

/** Takes the run: creates the next segment, and reads all that stands before it. Nothing is written yet. */
export function becomeWriter(run: OpenRun): SegmentWriter {
  const { disk, directory } = run;
  const created = createSegment(disk, directory, run.unused);
  run.unused = undefined;
  try {
    const { torn, chain } = lookSteadily(disk, directory, () => refresh(run, created.segment));
    if (torn > 0)
      run.warn(`The last ${torn} bytes of the journal of run ${run.run} are of a write that was never finished. They are left out.`);
    run.replaced = chain[0]?.replaced ? chain[0].number : 0;
    created.chain = chain;
    created.header = segmentHeader(run.state.position);
    created.position = created.header.length;
    return created;
  } catch (error) {
    disk.close(created.file);
    run.unused = created;
    // What was to be read may be replaced by another store that took the run meanwhile.
    throw holdsRun(disk, directory, created) ? error : conflict(run.run);
  }
}

/**
 * Makes last what a header will count, before it is written: else a power cut could leave the header, and not what it goes on from. Does
 * nothing where all of it was acknowledged before.
 */
export async function syncBefore(run: OpenRun, writer: SegmentWriter): Promise<void> {
  if (run.unsynced.length === 0) return;
  const { disk, directory } = run;
  await allSynced([...run.unsynced.map(({ number }) => syncSegment(disk, segmentPath(directory, number))), syncNames(run, writer)]);
  run.unsynced = [];
}

/**
 * Makes last the name of a new segment and those before it, once. And the name of the run, unless a writer that acknowledged anything of it has
 * done that.
 */
export async function syncNames({ disk, directory, acknowledged, syncAbove }: OpenRun, writer: SegmentWriter): Promise<void> {
  if (writer.isNameSynced) return;
  const isNew = acknowledged.segment < 0;
  await allSynced([disk.syncDirectory(directory), ...(isNew ? [syncAbove()] : [])]);
  writer.isNameSynced = true;
}

async function syncSegment(disk: OpenRun["disk"], path: string): Promise<void> {
  let file: number;
  try {
    file = disk.open(path, "edit");
  } catch (error) {
    // Replaced meanwhile: then this writer is no longer the one.
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  try {
    await disk.sync(file);
  } finally {
    disk.close(file);
  }
}

/**
 * Removes what a store that died left behind: segments that a base stands for, notes that were dropped. Only after a first write of one's
 * own has synced what makes them superfluous.
 */
export function tidy(run: OpenRun): void {
  const { disk, directory, state } = run;
  if (run.replaced > 0) removeSegments(run, run.replaced);
  if (state.dropped.size > 0) removeDropped(disk, directory, state.dropped);
}

/**
 * After a failed write: nothing more is taken from this file, and what it may hold beyond the acknowledged end does not count. One without a
 * header counts for nothing: it is emptied, and serves again unless it was a sync that failed.
 */
export function abandonWriter(run: OpenRun, writer: SegmentWriter, failed: { acknowledged: number; inSync: boolean }): void {
  const { disk } = run;
  const { acknowledged, inSync } = failed;
  if (writer.header === undefined) run.abandoned = { segment: writer.segment, bytes: acknowledged, inode: writer.inode };
  try {
    if (writer.header !== undefined) {
      disk.truncate(writer.file, 0);
      if (!inSync) run.unused = writer;
    } else if (holds(run, writer)) {
      // What another writer already goes on from stays.
      disk.truncate(writer.file, acknowledged);
    }
  } catch {
    // The header of this store's next segment leaves these bytes out in any case.
  }
  disk.close(writer.file);
  run.parked = undefined;
  run.writer = undefined;
}
