import type { Disk } from "../../core/ports/disk.ts";
import { writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";
import type { Position } from "./run-state.ts";
import { segmentNumbers, segmentPath } from "./segments.ts";

/** An open segment, and who has one writes the journal, until another store creates the next segment. */
export interface SegmentWriter {
  readonly file: number;
  readonly segment: number;
  readonly inode: number;
  /** Not yet written; counts only together with the first group behind it. */
  header: Buffer | undefined;
  position: number;
}

/** Creates the next segment: from now on the caller is the one writer. */
export function createSegment(disk: Disk, directory: string): SegmentWriter {
  if (disk.facts(directory) === undefined) disk.makeDirectory(directory);
  for (;;) {
    const segment = Math.max(-1, ...segmentNumbers(disk, directory)) + 1;
    try {
      const file = disk.open(segmentPath(directory, segment), "create");
      // The number may have been taken and, behind a base, become free again since it was looked for: then it is no longer the next one.
      if (Math.max(...segmentNumbers(disk, directory)) === segment) {
        return { file, segment, inode: disk.facts(file)!.inode, header: undefined, position: 0 };
      }
      disk.close(file);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** A segment as a whole, before it is put in place behind another one. */
export interface WholeSegment {
  readonly before: SegmentWriter;
  readonly bytes: Uint8Array;
  readonly temporary: string;
}

/**
 * Puts a whole segment in place, synced before it has its name, so that nobody ever sees a part of it. Gives its writer; nothing where
 * another store took the run, or deleted it.
 */
export async function placeSegment(disk: Disk, directory: string, whole: WholeSegment): Promise<SegmentWriter | undefined> {
  const { before, bytes, temporary } = whole;
  const segment = before.segment + 1;
  let file: number | undefined;
  try {
    file = disk.open(temporary, "create");
    writeAll(disk, file, bytes, 0);
    await disk.sync(file);
    disk.link(temporary, segmentPath(directory, segment));
    if (inodeOf(disk, directory, before.segment) !== before.inode) {
      // Others had taken the number, and a base of theirs made it free again.
      disk.remove(segmentPath(directory, segment));
      disk.close(file);
      return undefined;
    }
    return { file, segment, inode: disk.facts(file)!.inode, header: undefined, position: bytes.length };
  } catch (error) {
    if (file !== undefined) disk.close(file);
    const code = errorCode(error);
    if (file !== undefined && (code === "EEXIST" || (code === "ENOENT" && disk.facts(directory) === undefined))) return undefined;
    throw error;
  } finally {
    disk.remove(temporary);
  }
}

/** Whether nobody took the run from this writer, or deleted it. */
export function holdsRun(disk: Disk, directory: string, { segment, inode }: SegmentWriter): boolean {
  return inodeOf(disk, directory, segment) === inode && inodeOf(disk, directory, segment + 1) === undefined;
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

/** Closes a segment. It is never taken away again: others look for the next number. With its header it goes on from where the one before ended. */
export function closeSegment(disk: Disk, { file, header }: SegmentWriter): void {
  try {
    if (header !== undefined) writeAll(disk, file, header, 0);
  } catch {
    // Without a header it says nothing; the next writer passes it over.
  } finally {
    disk.close(file);
  }
}

/** Tells the file of a segment from another one that took its name. */
export function inodeOf(disk: Disk, directory: string, segment: number): number | undefined {
  return segment < 0 ? undefined : disk.facts(segmentPath(directory, segment))?.inode;
}
