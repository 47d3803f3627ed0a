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
  /** A writer whose file is still empty: the first write to it failed, or the segments before it could not be read. */
  unused: SegmentWriter | undefined;
  /** Where a failed write began: bytes that it left behind must never count. */
  abandoned: (Position & { readonly inode: number }) | undefined;
  /** The file behind the position of the state, so that a run deleted and made again is not taken for the old one. */
  inodeSeen: number | undefined;
  /** When that file and the directory were last changed; nothing while this store writes. */
  changesSeen: { readonly segment: number | undefined; readonly directory: number | undefined } | undefined;
  /** The end of the part that is known to be acknowledged, by any store. */
  acknowledged: Position;
  /** Segments beyond it, whose writers may have died before they synced. */
  unsynced: readonly Segment[];
  /** The segment with this number replaces all before it. */
  replaced: number;
  temporary(): string;
  warn(message: string): void;
  /** Syncs the names of the directories above the one of the run. */
  syncAbove(): Promise<void>;
}

/** Reads and folds the part of the journal beyond the known state. */
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
 * Returns whether the journal still ends at the state, and no file was added or removed. Then the directory need not be read. Looks for a following segment
 * first, like {@link holdsRun}.
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
  // A header must not count bytes that may be lost. The next writer skips a segment without a header.
  if (run.writer !== undefined && run.unsynced.length > 0) run.writer.header = undefined;
  if (run.writer !== undefined) closeSegment(run.disk, run.writer);
  run.writer = undefined;
}

/** Takes the run: creates the next segment, and reads all segments before it. Writes nothing yet. */
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
    // Another store may have taken the run and replaced the files to be read.
    throw holdsRun(disk, directory, created) ? error : conflict(run.run);
  }
}

/**
 * Syncs the bytes that a header will count, before the header is written: else a power cut could keep the header and lose the bytes. Does nothing if all of
 * them were acknowledged before.
 */
export async function syncBefore(run: OpenRun, writer: SegmentWriter): Promise<void> {
  if (run.unsynced.length === 0) return;
  const { disk, directory } = run;
  await allSynced([...run.unsynced.map(({ number }) => syncSegment(disk, segmentPath(directory, number))), syncNames(run, writer)]);
  run.unsynced = [];
}

/**
 * Syncs the names of a new segment and those before it, once. Also syncs the name of the run, unless an earlier writer acknowledged anything and so has done
 * it.
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
    // It was replaced: another writer has taken the run.
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
 * Removes the leftovers of a store that died: segments that a base replaces, dropped notes. Call it only after a first write has synced the base or the drop.
 */
export function tidy(run: OpenRun): void {
  const { disk, directory, state } = run;
  if (run.replaced > 0) removeSegments(run, run.replaced);
  if (state.dropped.size > 0) removeDropped(disk, directory, state.dropped);
}

/**
 * Gives up a segment after a failed write: bytes beyond its acknowledged end do not count. A segment without a header is emptied, and used again unless the
 * sync failed.
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
      // Keep bytes that another writer already continues from.
      disk.truncate(writer.file, acknowledged);
    }
  } catch {
    // The header of this store's next segment leaves these bytes out in any case.
  }
  disk.close(writer.file);
  run.parked = undefined;
  run.writer = undefined;
}
