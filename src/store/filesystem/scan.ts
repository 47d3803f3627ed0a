import { damaged } from "./failure.ts";
import { continuesWrite } from "./group.ts";
import { isSeal, openSeal } from "./line.ts";

const LINE_FEED = 10;

/** A sealed group, as places in the bytes that were scanned. */
export interface ScannedGroup {
  readonly start: number;
  readonly end: number;
  /** Start and end of each entry's line, one after the other. */
  readonly lines: readonly number[];
  readonly seal: readonly unknown[];
}

/**
 * Visits the sealed groups of a segment, and returns where the last one ends. Only the newest segment may have an unfinished write after it: bytes without a
 * seal, or NULs before a seal if the disk made room and wrote nothing. Reserved room may follow: NULs alone. Any other mismatch is damage: throws
 * `STORE_DATA_CORRUPT`.
 */
export function scanGroups(run: string, bytes: Buffer, newest: boolean, visit: (group: ScannedGroup) => void): number {
  let start = 0;
  let line = 0;
  let lines: number[] = [];
  for (let end = bytes.indexOf(LINE_FEED, line); end >= 0; end = bytes.indexOf(LINE_FEED, line)) {
    if (!isSeal(bytes, line)) {
      lines.push(line, end);
    } else {
      const seal = openSeal(bytes, start, line, end);
      if (seal === undefined) {
        if (newest && isUnfinished(bytes, start, end + 1)) return start;
        throw damaged(run, `the checksum at byte ${line} does not fit`);
      }
      visit({ start, end: end + 1, lines, seal });
      start = end + 1;
      lines = [];
    }
    line = end + 1;
  }
  if (!newest && start < bytes.length) throw damaged(run, `what follows byte ${start} has no seal`);
  return start;
}

/** Bytes without the room at their end. */
export function writtenLength(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}

/**
 * Whether all that follows a place was one write that did not reach the disk as a whole: it left NULs before the end of its first seal, and no
 * seal behind that tells of a later write, which begins only when the one before has been acknowledged.
 */
function isUnfinished(bytes: Buffer, start: number, next: number): boolean {
  if (!bytes.subarray(start, next).includes(0)) return false;
  let line = next;
  for (let end = bytes.indexOf(LINE_FEED, line); end >= 0; end = bytes.indexOf(LINE_FEED, line)) {
    if (isSeal(bytes, line) && !bytes.subarray(line, end).includes(0) && !continuesWrite(parsed(bytes, line, end))) return false;
    line = end + 1;
  }
  return true;
}

function parsed(bytes: Buffer, start: number, end: number): readonly unknown[] {
  try {
    return JSON.parse(bytes.toString("utf8", start, end)) as readonly unknown[];
  } catch {
    return [];
  }
}
