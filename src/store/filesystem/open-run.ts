import { dirname } from "node:path";
import { conflict } from "../check-commit.ts";
import { errorCode } from "./failure.ts";
import { loadState } from "./load-state.ts";
import type { Loaded } from "./load-state.ts";
import { removeDropped } from "./notes.ts";
import { emptyState } from "./run-state.ts";
import type { Position, RunState } from "./run-state.ts";
import { closeSegment, createSegment, holdsRun, inodeOf } from "./segment-writer.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { removeSegments, segmentHeader, segmentPath } from "./segments.ts";
import type { JournalPlace, Segment } from "./segments.ts";
import { lookSteadily } from "./steady.ts";

/** What one store knows and holds of a run. */
export interface OpenRun extends JournalPlace {
  state: RunState;
  writer: SegmentWriter | undefined;
  /** A writer whose file was closed to spare handles. */
  parked: SegmentWriter | undefined;
  /** Where a failed write began: what it may have left behind must never count. */
  abandoned: (Position & { readonly inode: number }) | undefined;
  /** The file behind the position of the state, so that a run deleted and made again is not taken for the old one. */
  inodeSeen: number | undefined;
  /** Up to where the journal is known to have been acknowledged once, by any store. */
  acknowledged: Position;
  /** Segments beyond that, which other stores wrote and may have died before they synced. */
  unsynced: readonly Segment[];
  /** Segments before this one were replaced by a base when the run was taken. */
  replaced: number;
  temporary(): string;
  warn(message: string): void;
}

/** Folds what the disk holds beyond the known state. */
export function refresh(run: OpenRun, below: number = Infinity): Loaded {
  const { state, inodeSeen, abandoned, acknowledged } = run;
  run.state = emptyState();
  const loaded = loadState(run, { state, inode: inodeSeen, abandoned, acknowledged, below });
  run.state = loaded.state;
  run.acknowledged = loaded.acknowledged;
  const { segment, bytes } = loaded.acknowledged;
  run.unsynced = loaded.chain.filter(({ number, end }) => number > segment || (number === segment && end > bytes));
  run.inodeSeen = inodeOf(run.disk, run.directory, run.state.position.segment);
  return loaded;
}

/** Whether nobody took the run from the writer. */
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
  const created = createSegment(disk, directory);
  try {
    const { torn, chain } = lookSteadily(disk, directory, () => refresh(run, created.segment));
    if (torn > 0)
      run.warn(`The last ${torn} bytes of the journal of run ${run.run} are of a write that was never finished. They are left out.`);
    run.replaced = chain[0]?.replaced ? chain[0].number : 0;
    created.header = segmentHeader(run.state.position);
    return created;
  } catch (error) {
    disk.close(created.file);
    // What was to be read may be replaced by a base of who took the run meanwhile.
    throw holdsRun(disk, directory, created) ? error : conflict(run.run);
  }
}

/**
 * Makes last what a header will count, before it is written: else a power cut could leave the header, and not what it goes on from. Does
 * nothing where all of it was acknowledged before.
 */
export async function syncBefore(run: OpenRun): Promise<void> {
  if (run.unsynced.length === 0) return;
  const { disk, directory } = run;
  await Promise.all([...run.unsynced.map(({ number }) => syncSegment(disk, segmentPath(directory, number))), syncNames(run)]);
  run.unsynced = [];
}

/** Makes last the names of the segments of a run, and of the run itself, unless whoever acknowledged anything of it has done that. */
export async function syncNames({ disk, directory, acknowledged }: OpenRun): Promise<void> {
  const isNew = acknowledged.segment < 0;
  await Promise.all([disk.syncDirectory(directory), ...(isNew ? [disk.syncDirectory(dirname(directory))] : [])]);
}

async function syncSegment(disk: OpenRun["disk"], path: string): Promise<void> {
  let file: number;
  try {
    file = disk.open(path, "edit");
  } catch (error) {
    // Replaced by a base meanwhile: then this writer is no longer the one.
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

/** After a failed write: nothing more is taken from this file, and what it may hold beyond the acknowledged end does not count. */
export function abandonWriter(run: OpenRun, writer: SegmentWriter, acknowledged: number): void {
  const { disk } = run;
  run.abandoned = { segment: writer.segment, bytes: acknowledged, inode: writer.inode };
  try {
    // What another writer already goes on from stays; so does a header, which another writer may have seen.
    if (acknowledged > 0 && holds(run, writer)) disk.truncate(writer.file, acknowledged);
  } catch {
    // The header of this store's next segment leaves these bytes out in any case.
  }
  disk.close(writer.file);
  run.parked = undefined;
  run.writer = undefined;
}
