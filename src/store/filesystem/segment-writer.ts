import type { Disk } from "../../core/ports/disk.ts";
import { writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";
import type { Position } from "./run-state.ts";
import { newestSegment, segmentPath } from "./segments.ts";
import type { Segment } from "./segments.ts";
import { hasSameNames, settledNames } from "./steady.ts";
import type { Names } from "./steady.ts";

/** NULs that make room behind the last group. */
const ROOM_BYTES = 65_536;
/** A run that is written to more often than this without a rest is given room; and room is for more writes than this. */
const MANY_WRITES = 8;

/** An open segment. Its holder writes the journal, until another store creates the next segment. */
export interface SegmentWriter {
  readonly file: number;
  readonly segment: number;
  readonly inode: number;
  /** Of a new segment: not yet written, and nothing counts without it. */
  header: Buffer | undefined;
  /** Of a new segment: the segments that it continues. */
  chain: readonly Segment[];
  /** Whether its name and those of the directories above it are synced. */
  isNameSynced: boolean;
  /** The directory as it was when this segment was found to be the newest. */
  names: Names | undefined;
  /** Where the next group is written. */
  position: number;
  /** The end of the room reserved behind the last group; not beyond `position` if there is none. */
  reserved: number;
  /** Since the run came to rest. */
  writes: number;
}

/**
 * Creates the next segment: from now on the caller is the one writer. One that the caller created before and left empty, for want of room,
 * serves again while no other followed it: attempts on a full disk leave no more than one file.
 */
export function createSegment(disk: Disk, directory: string, unused: SegmentWriter | undefined): SegmentWriter {
  if (unused !== undefined && holdsRun(disk, directory, unused) && newestSegment(disk, directory) === unused.segment) {
    const path = segmentPath(directory, unused.segment);
    if (disk.facts(path)?.sizeBytes === 0) return newWriter(disk, disk.open(path, "edit"), unused.segment);
  }
  if (disk.facts(directory) === undefined) disk.makeDirectory(directory);
  for (;;) {
    const segment = newestSegment(disk, directory) + 1;
    try {
      const file = disk.open(segmentPath(directory, segment), "create");
      // The number may have been taken and become free again since it was looked for: then it is no longer the next one, and the file stays empty.
      if (newestSegment(disk, directory) === segment) return newWriter(disk, file, segment);
      disk.close(file);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** Creates the segment after the own one. Returns nothing if another store took the run, or deleted it. */
export function followSegment(disk: Disk, directory: string, own: SegmentWriter): SegmentWriter | undefined {
  const segment = own.segment + 1;
  let file: number;
  try {
    file = disk.open(segmentPath(directory, segment), "create");
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" || (code === "ENOENT" && disk.facts(directory) === undefined)) return undefined;
    throw error;
  }
  // Its number may have been taken and become free again: but then its own is gone too, since older ones go first. The file stays empty.
  if (inodeOf(disk, directory, own.segment) === own.inode) return newWriter(disk, file, segment);
  disk.close(file);
  return undefined;
}

function newWriter(disk: Disk, file: number, segment: number): SegmentWriter {
  const { inode } = disk.facts(file)!;
  return { file, segment, inode, header: undefined, chain: [], isNameSynced: false, names: undefined, position: 0, reserved: 0, writes: 0 };
}

/**
 * Writes groups behind the last one. In a run that is written to often they take the place of NULs: then the length of the file stays as it is,
 * and a sync has their bytes to write and no more. To readers NULs are nothing, and {@link trimSegment} takes them away.
 */
export function writeGroups(disk: Disk, writer: SegmentWriter, groups: readonly Buffer[]): void {
  const bytes = groups.length === 1 ? groups[0]! : Buffer.concat(groups);
  writeAll(disk, writer.file, bytes, writer.position);
  writer.position += bytes.length;
  writer.writes += 1;
  // Room that a few large groups fill would cost more than it spares.
  const isWorthRoom = writer.writes > MANY_WRITES && bytes.length < ROOM_BYTES / MANY_WRITES;
  if (isWorthRoom && writer.position > writer.reserved) makeRoom(disk, writer);
}

function makeRoom(disk: Disk, writer: SegmentWriter): void {
  const { file, position } = writer;
  try {
    writer.reserved = position + disk.write(file, Buffer.alloc(ROOM_BYTES), 0, position);
  } catch {
    // A disk without so much room may have some for the groups themselves.
    writer.writes = 0;
  }
}

/** Takes away the room behind the last group: for a run that rests, or whose file is closed. */
export function trimSegment(disk: Disk, writer: SegmentWriter): void {
  writer.writes = 0;
  if (writer.reserved > writer.position) cutSegment(disk, writer, writer.position);
}

/** Lets a segment end at a byte behind which nothing counts. */
export function cutSegment(disk: Disk, writer: SegmentWriter, end: number): void {
  disk.truncate(writer.file, end);
  writer.position = end;
  writer.reserved = 0;
}

/**
 * Returns whether the writer still holds the run: it was neither taken nor deleted. Looks for the following segment first: if that one is made and removed
 * between both looks, the own segment is gone as well. If no name in the directory changed, the own segment exists and is not looked at. On Linux, reading
 * the time of a file makes the next write update it, and the next sync slower.
 */
export function holdsRun(disk: Disk, directory: string, writer: SegmentWriter): boolean {
  const { segment, inode } = writer;
  if (inodeOf(disk, directory, segment + 1) !== undefined) return false;
  const facts = disk.facts(directory);
  if (hasSameNames(facts, writer.names)) return true;
  const settled = facts && settledNames(facts);
  const isOwn = inodeOf(disk, directory, segment) === inode;
  writer.names = isOwn ? settled : undefined;
  return isOwn;
}

/** Opens a closed segment again, if nothing happened to it since it ended at this position. */
export function reopenSegment(
  disk: Disk,
  directory: string,
  { closed, end }: { closed: SegmentWriter; end: Position },
): SegmentWriter | undefined {
  if (closed.segment !== end.segment || closed.position !== end.bytes || !holdsRun(disk, directory, closed)) return undefined;
  const path = segmentPath(directory, closed.segment);
  return disk.facts(path)?.sizeBytes === end.bytes ? { ...closed, file: disk.open(path, "edit") } : undefined;
}

/**
 * Closes a segment, and cuts the room behind its last group. Never removes it: others look for the next number. Writes the header of an empty segment, so
 * that it continues the one before; empties it if it holds bytes that never counted.
 */
export function closeSegment(disk: Disk, writer: SegmentWriter): void {
  const { file, header, position } = writer;
  try {
    trimSegment(disk, writer);
    if (header !== undefined && position > header.length) disk.truncate(file, 0);
    else if (header !== undefined) writeAll(disk, file, header, 0);
  } catch {
    // The next writer skips a segment without a header.
  } finally {
    disk.close(file);
  }
}

/** Tells the file of a segment from another one that took its name. */
export function inodeOf(disk: Disk, directory: string, segment: number): number | undefined {
  return segment < 0 ? undefined : disk.facts(segmentPath(directory, segment))?.inode;
}
