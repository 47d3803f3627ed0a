import { closeSync, fstatSync, openSync, readSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { WorkflowError } from "../../core/model/errors.ts";
import { damaged, errorCode } from "./failure.ts";
import { isSeal, openSeal, sealedLines } from "./line.ts";
import type { Position } from "./run-state.ts";

const SEGMENT = /^(\d{1,9})\.jsonl$/;
const KIND = "wavepoint-journal";
const VERSION = 1;

/** No header is longer, in bytes. */
const MAX_HEADER = 128;

/**
 * One file of a journal. Who wants to write creates the next file, and nobody else ever writes to it; its first line says up to which byte
 * the file before counts. So a writer that was stopped and wakes up late writes where nobody looks.
 */
export interface Segment {
  readonly number: number;
  /** Where its groups start. */
  readonly start: number;
  /** Where what counts of it ends: given by the next segment, or the size of the newest. */
  readonly end: number;
  readonly newest: boolean;
  /** Tells a file from another one that took its name. */
  readonly inode: number;
}

/** The path of a segment. */
export function segmentPath(directory: string, number: number): string {
  return join(directory, `${number}.jsonl`);
}

/** The first line of a segment that goes on from this position. */
export function segmentHeader(previous: Position): Buffer {
  return sealedLines([], [KIND, VERSION, previous.segment, previous.bytes]);
}

/** The numbers of the segments in a directory, in no order; none where there is no directory. */
export function segmentNumbers(directory: string): number[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      const number = SEGMENT.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * The segments that make up the journal, oldest first: the newest one with a header, and what it goes on from. With `below` as if those
 * from that number on did not exist. Throws `STORE_DATA_CORRUPT` where one is missing or its header damaged.
 */
export function segmentChain(run: string, directory: string, below: number = Infinity): Segment[] {
  const numbers = segmentNumbers(directory)
    .filter((number) => number < below)
    .toSorted((a, b) => b - a);
  const chain: Segment[] = [];
  let wanted: Position | undefined;
  for (const number of numbers) {
    if (wanted !== undefined && number > wanted.segment) continue;
    if (wanted !== undefined && number < wanted.segment) break;
    const header = readHeader(run, directory, number);
    if (header === undefined && wanted === undefined) continue;
    if (header === undefined) break;
    if (wanted !== undefined && (wanted.bytes > header.size || wanted.bytes < header.start)) {
      throw damaged(run, `segment ${number} has ${header.size} bytes, not the ${wanted.bytes} that were counted`);
    }
    chain.unshift({ number, start: header.start, end: wanted?.bytes ?? header.size, newest: wanted === undefined, inode: header.inode });
    wanted = header.previous;
    if (wanted.segment < 0) return chain;
  }
  if (wanted !== undefined) throw damaged(run, `segment ${wanted.segment} is missing`);
  return chain;
}

/** The bytes of a segment from one place to another; fewer where the file is shorter. */
export function readSegment(directory: string, number: number, from: number, to: number): Buffer {
  const file = openSync(segmentPath(directory, number), "r");
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, from + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

interface Header {
  readonly previous: Position;
  readonly start: number;
  readonly size: number;
  readonly inode: number;
}

/** The header of a segment; nothing where its writer had not finished it. */
function readHeader(run: string, directory: string, number: number): Header | undefined {
  let file: number;
  try {
    file = openSync(segmentPath(directory, number), "r");
  } catch (error) {
    // A writer that was not first took its empty file away again.
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(MAX_HEADER);
    const length = readSync(file, bytes, 0, MAX_HEADER, 0);
    const { size, ino } = fstatSync(file);
    const end = bytes.subarray(0, length).indexOf(10);
    if (end < 0 && length < MAX_HEADER) return undefined;
    const seal = end < 0 || !isSeal(bytes, 0) ? undefined : openSeal(bytes, 0, 0, end);
    if (seal === undefined) {
      if (bytes.subarray(0, length).every((byte) => byte === 0)) return undefined;
      throw damaged(run, `the first line of segment ${number} is not what was written`);
    }
    const [kind, version, segment, before] = seal as [string, number, number, number];
    if (kind !== KIND || version !== VERSION) {
      throw new WorkflowError(
        "STORE_FAILED",
        `The journal of run ${run} has the form ${version}, this version reads ${VERSION}. Use a newer version of the package.`,
      );
    }
    return { previous: { segment, bytes: before }, start: end + 1, size, inode: ino };
  } finally {
    closeSync(file);
  }
}
