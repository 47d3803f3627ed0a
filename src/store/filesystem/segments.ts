import { WorkflowError } from "../../core/model/errors.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { pathIn, readSome } from "./disk.ts";
import { damaged, errorCode } from "./failure.ts";
import { isSeal, openSeal, sealedLines } from "./line.ts";
import type { Position } from "./run-state.ts";

const SEGMENT = /^(\d{1,9})\.jsonl$/;
const KIND = "wavepoint-journal";
const VERSION = 1;

/** In the header of a segment that replaces all before it; their ends follow. */
const STANDS_FOR_ALL = 1;

/** No header is longer, in bytes. */
const MAX_HEADER = 1024;

/** For how many replaced segments a segment remembers the ends that counted, for writers that were stopped. */
const MAX_REPLACED = 32;

/** The place of a run's journal. */
export interface JournalPlace {
  readonly run: string;
  readonly directory: string;
  readonly disk: Disk;
  /** The first lines that were read of its files, by number; valid as long as the known state of the run. */
  readonly headers: Map<number, Header>;
}

/**
 * One file of a journal. A writer creates the next file, and no other writer ever writes to it. Its first line says up to which byte the file before counts.
 * So a writer that was stopped and wakes up late is fenced: readers ignore what it writes. Some segments replace all before them: see `WholeSegment`.
 */
export interface Segment {
  readonly number: number;
  /** Where its groups start. */
  readonly start: number;
  /** The end of the part that counts: given by the next segment; the size of the file for the newest one. */
  readonly end: number;
  readonly newest: boolean;
  /** Tells a file from another one that took its name. */
  readonly inode: number;
  /** The position that it continues from. */
  readonly previous: Position;
  /** Segments that it replaces, oldest first, as in {@link replacedSegments}; absent if it continues the segments before it. */
  readonly replaced?: readonly SegmentEnd[];
}

/** A segment, and the end of the part that counts. */
export type SegmentEnd = readonly [number: number, end: number];

/** The path of a segment. */
export function segmentPath(directory: string, number: number): string {
  return pathIn(directory, `${number}.jsonl`);
}

/** Returns the first line of a segment that continues from this position, or replaces all before it. */
export function segmentHeader(previous: Position, replaced?: readonly SegmentEnd[]): Buffer {
  return sealedLines([], [KIND, VERSION, previous.segment, previous.bytes, ...(replaced ? [STANDS_FOR_ALL, replaced] : [])]);
}

/** Returns what the replacement of a chain remembers of it: the ends of its newest segments. */
export function replacedSegments(chain: readonly Segment[]): readonly SegmentEnd[] {
  const ends = chain.map(({ number, end }): SegmentEnd => [number, end]);
  return [...(chain[0]?.replaced ?? []), ...ends].slice(-MAX_REPLACED);
}

/** Returns how many bytes of a segment counted before it was replaced; nothing if that is no longer remembered. */
export function countedBefore(replaced: readonly SegmentEnd[], segment: number): number | undefined {
  const found = replaced.find(([number]) => number === segment);
  const isForgotten = replaced.length === MAX_REPLACED && segment < replaced[0]![0];
  return isForgotten ? undefined : (found?.[1] ?? 0);
}

/** Returns the numbers of the segments in a directory, in no order; none if there is no directory. */
function segmentNumbers(disk: Disk, directory: string): number[] {
  try {
    return disk.list(directory).flatMap((name) => {
      const number = SEGMENT.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * Returns the segments of the journal, oldest first: the newest one with a header, and those that it continues, back to one that continues none. Ignores
 * segments from the number `below` on. Throws `STORE_DATA_CORRUPT` if one is missing or its header is damaged.
 */
export function segmentChain(place: JournalPlace, below: number = Infinity): readonly Segment[] {
  const { run, disk, directory } = place;
  const numbers = segmentNumbers(disk, directory)
    .filter((number) => number < below)
    .toSorted((a, b) => b - a);
  const segments: Segment[] = [];
  let wanted: Position | undefined;
  for (const number of numbers) {
    if (wanted !== undefined && number > wanted.segment) continue;
    if (wanted !== undefined && number < wanted.segment) break;
    const header = findHeader(place, number);
    if (header === undefined && wanted !== undefined) break;
    // Its writer has not finished its first write, or never will.
    if (header === undefined) continue;
    if (wanted !== undefined && (wanted.bytes > header.size || wanted.bytes < header.start)) {
      throw damaged(run, `segment ${number} has ${header.size} bytes, not the ${wanted.bytes} that were counted`);
    }
    const { size, changedAt: _, ...rest } = header;
    segments.unshift({ ...rest, number, end: wanted?.bytes ?? size, newest: wanted === undefined });
    wanted = header.previous;
    if (header.replaced || wanted.segment < 0) return segments;
  }
  if (wanted !== undefined) throw damaged(run, `segment ${wanted.segment} is missing`);
  // The listed segments may be gone, and a late writer may have taken one of their names again; it will notice.
  if (below === Infinity && newestSegment(disk, directory) > (numbers[0] ?? Infinity)) return segmentChain(place);
  return segments;
}

/** Returns the number of the newest segment; -1 if there is none. */
export function newestSegment(disk: Disk, directory: string): number {
  return Math.max(-1, ...segmentNumbers(disk, directory));
}

/** Removes the segments before their replacement, oldest first: a reader that finds one of them finds all that follow it. */
export function removeSegments({ disk, directory }: JournalPlace, before: number): void {
  const numbers = segmentNumbers(disk, directory).filter((number) => number < before);
  for (const number of numbers.toSorted((a, b) => a - b)) disk.remove(segmentPath(directory, number));
}

/** Reads the bytes of a segment from one place to another. Throws `STORE_DATA_CORRUPT` if the file is shorter. */
export function readSegment({ run, disk, directory }: JournalPlace, number: number, { from, to }: { from: number; to: number }): Buffer {
  const file = disk.open(segmentPath(directory, number), "read");
  try {
    const bytes = readSome(disk, file, from, to - from);
    if (bytes.length < to - from) throw damaged(run, `segment ${number} ends before byte ${to}`);
    return bytes;
  } finally {
    disk.close(file);
  }
}

interface Header extends Pick<Segment, "previous" | "replaced" | "start" | "inode"> {
  readonly size: number;
  readonly changedAt: number;
}

/** Returns the header of a segment; nothing if its writer has not finished it. A finished header never changes. */
function findHeader(place: JournalPlace, number: number): Header | undefined {
  const { disk, directory, headers } = place;
  const known = headers.get(number);
  const facts = known && disk.facts(segmentPath(directory, number));
  if (known && facts?.inode === known.inode && facts.changedAt === known.changedAt) return { ...known, size: facts.sizeBytes };
  const header = readHeader(place, number);
  if (header === undefined) headers.delete(number);
  else headers.set(number, header);
  return header;
}

function readHeader({ run, disk, directory }: JournalPlace, number: number): Header | undefined {
  const file = disk.open(segmentPath(directory, number), "read");
  try {
    const { sizeBytes, inode, changedAt } = disk.facts(file)!;
    const bytes = readSome(disk, file, 0, Math.min(sizeBytes, MAX_HEADER));
    const end = bytes.indexOf(10);
    if (end < 0 && bytes.length < MAX_HEADER) return undefined;
    const seal = end < 0 || !isSeal(bytes, 0) ? undefined : openSeal(bytes, 0, 0, end);
    if (seal === undefined) {
      if (bytes.subarray(0, end < 0 ? MAX_HEADER : end).includes(0)) return undefined;
      throw damaged(run, `the first line of segment ${number} is not what was written`);
    }
    const [kind, version, segment, before, form, replaced = []] = seal as [string, number, number, number, number?, SegmentEnd[]?];
    if (kind !== KIND || version !== VERSION) {
      throw new WorkflowError(
        "STORE_FAILED",
        `The journal of run ${run} has the form ${version}, this version reads ${VERSION}. Use a newer version of the package.`,
      );
    }
    return {
      previous: { segment, bytes: before },
      start: end + 1,
      size: sizeBytes,
      inode,
      changedAt,
      ...(form === STANDS_FOR_ALL && { replaced }),
    };
  } finally {
    disk.close(file);
  }
}
