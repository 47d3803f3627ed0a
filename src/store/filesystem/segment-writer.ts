import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { writeAll } from "./disk.ts";
import type { Disk } from "./disk.ts";
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
export function createSegment(directory: string): SegmentWriter {
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true });
  for (;;) {
    const segment = Math.max(-1, ...segmentNumbers(directory)) + 1;
    try {
      const file = openSync(segmentPath(directory, segment), "wx");
      return { file, segment, inode: inodeOf(directory, segment)!, header: undefined, position: 0 };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** Whether nobody took the run from this writer, or deleted it. */
export function holdsRun(directory: string, { segment, inode }: SegmentWriter): boolean {
  return inodeOf(directory, segment) === inode && !existsSync(segmentPath(directory, segment + 1));
}

/** Opens a closed segment again, if nothing happened to it since it ended at this position. */
export function reopenSegment(directory: string, closed: SegmentWriter, end: Position): SegmentWriter | undefined {
  if (closed.segment !== end.segment || closed.position !== end.bytes || !holdsRun(directory, closed)) return undefined;
  const path = segmentPath(directory, closed.segment);
  return statSync(path).size === end.bytes ? { ...closed, file: openSync(path, "r+") } : undefined;
}

/** Closes a segment. It is never taken away again: others look for the next number. With its header it goes on from where the one before ended. */
export function closeSegment(disk: Disk, { file, header }: SegmentWriter): void {
  try {
    if (header !== undefined) writeAll(disk, file, header, 0);
  } catch {
    // Without a header it says nothing; the next writer passes it over.
  } finally {
    closeSync(file);
  }
}

/** Tells the file of a segment from another one that took its name. */
export function inodeOf(directory: string, segment: number): number | undefined {
  return segment < 0 ? undefined : statSync(segmentPath(directory, segment), { throwIfNoEntry: false })?.ino;
}
