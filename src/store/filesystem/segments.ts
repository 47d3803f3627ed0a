import { WorkflowError } from "../../core/model/errors.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { pathIn, readSome } from "./disk.ts";
import { damaged, errorCode } from "./failure.ts";
import { isSeal, openSeal, sealedLines } from "./line.ts";
import type { Position } from "./run-state.ts";

const SEGMENT = /^(\d{1,9})\.jsonl$/;
const KIND = "wavepoint-journal";
const VERSION = 1;

/** In the header of a segment that stands for all before it, before the ends of those. */
const STANDS_FOR_ALL = 1;

/** No header is longer, in bytes. */
const MAX_HEADER = 1024;

/** Of how many segments one that stands for them remembers how much of them counted, for writers that slept. */
const MAX_REPLACED = 32;

/** Where the journal of a run lies. */
export interface JournalPlace {
  readonly run: string;
  readonly directory: string;
  readonly disk: Disk;
  /** The first lines of its files that were read, by number, as long as what is known of the run is trusted. */
  readonly headers: Map<number, Header>;
}

/**
 * One file of a journal. A writer creates the next file, and no other writer ever writes to it. Its first line says up to which byte the
 * file before counts. So a writer that was stopped and wakes up late is fenced: it writes where readers do not look. Some segments stand
 * for all before them:
 * see `WholeSegment`.
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
  /** From where it goes on. */
  readonly previous: Position;
  /** Segments that it stands for, oldest first, as {@link replacedSegments} has them; absent where it goes on from those before it. */
  readonly replaced?: readonly SegmentEnd[];
}

/** Where what counts of a segment ends. */
export type SegmentEnd = readonly [number: number, end: number];

/** The path of a segment. */
export function segmentPath(directory: string, number: number): string {
  return pathIn(directory, `${number}.jsonl`);
}

/** The first line of a segment that goes on from this position, or stands for all before it. */
export function segmentHeader(previous: Position, replaced?: readonly SegmentEnd[]): Buffer {
  return sealedLines([], [KIND, VERSION, previous.segment, previous.bytes, ...(replaced ? [STANDS_FOR_ALL, replaced] : [])]);
}

/** What a segment that stands for a chain says of it: where the newest of its segments end. */
export function replacedSegments(chain: readonly Segment[]): readonly SegmentEnd[] {
  const ends = chain.map(({ number, end }): SegmentEnd => [number, end]);
  return [...(chain[0]?.replaced ?? []), ...ends].slice(-MAX_REPLACED);
}

/** How much of a segment counted before it was replaced; nothing where that is no longer remembered. */
export function countedBefore(replaced: readonly SegmentEnd[], segment: number): number | undefined {
  const found = replaced.find(([number]) => number === segment);
  const isForgotten = replaced.length === MAX_REPLACED && segment < replaced[0]![0];
  return isForgotten ? undefined : (found?.[1] ?? 0);
}

/** The numbers of the segments in a directory, in no order; none where there is no directory. */
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
 * The segments that make up the journal, oldest first: the newest one with a header, and what it goes on from, back to one that goes on from
 * none. With `below` as if those from that number on did not exist. Throws `STORE_DATA_CORRUPT` where one is missing or its header damaged.
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
    // Of a writer that has not finished its first write, or never will.
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
  // Those that were listed may be gone, and a name be taken once more by a writer that will find out that it is late.
  if (below === Infinity && newestSegment(disk, directory) > (numbers[0] ?? Infinity)) return segmentChain(place);
  return segments;
}

/** The number of the newest segment; -1 where there is none. */
export function newestSegment(disk: Disk, directory: string): number {
  return Math.max(-1, ...segmentNumbers(disk, directory));
}

/** Removes the segments before one that stands for them, oldest first: who finds one finds those that follow it. */
export function removeSegments({ disk, directory }: JournalPlace, before: number): void {
  const numbers = segmentNumbers(disk, directory).filter((number) => number < before);
  for (const number of numbers.toSorted((a, b) => a - b)) disk.remove(segmentPath(directory, number));
}

/** The bytes of a segment from one place to another. Throws `STORE_DATA_CORRUPT` where the file is shorter. */
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

/** The header of a segment; nothing where its writer had not finished it. One that stands is never written again. */
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
