import { damaged } from "./failure.ts";
import { isSeal, openSeal } from "./line.ts";

/** A sealed group, as places in the bytes that were scanned. */
export interface ScannedGroup {
  readonly start: number;
  readonly end: number;
  /** Start and end of each entry's line, one after the other. */
  readonly lines: readonly number[];
  readonly seal: readonly unknown[];
}

/**
 * Visits the sealed groups of a segment and gives where the last one ends. What follows it is an unfinished write, which only the newest
 * segment may have: no seal, or NULs where a disk had made room and not yet written. Anything else that does not fit is damage:
 * `STORE_DATA_CORRUPT`.
 */
export function scanGroups(run: string, bytes: Buffer, newest: boolean, visit: (group: ScannedGroup) => void): number {
  let start = 0;
  let line = 0;
  let lines: number[] = [];
  for (let end = bytes.indexOf(10, line); end >= 0; end = bytes.indexOf(10, line)) {
    if (!isSeal(bytes, line)) {
      lines.push(line, end);
    } else {
      const seal = openSeal(bytes, start, line, end);
      if (seal === undefined) {
        if (newest && end === bytes.length - 1 && bytes.includes(0, start)) return start;
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
