import { join } from "node:path";
import { WorkflowError } from "../../core/model/errors.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { readSome } from "./disk.ts";
import { damaged, errorCode } from "./failure.ts";
import { isSeal, openSeal, sealedLines } from "./line.ts";
import type { Position } from "./run-state.ts";

const SEGMENT = /^(\d{1,9})\.jsonl$/;
const KIND = "wavepoint-journal";
const VERSION = 1;

/** In the header of a segment that begins with a base, before the ends of those it stands for. */
const WITH_BASE = 1;

/** No header is longer, in bytes. */
const MAX_HEADER = 1024;

/** Of how many segments a base remembers how much of them counted, for writers that slept. */
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
 * One file of a journal. Who wants to write creates the next file, and nobody else ever writes to it; its first line says up to which byte
 * the file before counts. So a writer that was stopped and wakes up late writes where nobody looks. A segment that begins with a base is put
 * in place as a whole, and stands for all segments before it.
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
  /** Segments that its base stands for, oldest first, as {@link replacedSegments} has them; absent where it begins with no base. */
  readonly replaced?: readonly SegmentEnd[];
}

/** Where what counts of a segment ends. */
export type SegmentEnd = readonly [number: number, end: number];

/** The segments that make up a journal, oldest first. */
export interface SegmentChain {
  readonly segments: readonly Segment[];
  /** Bytes of a newest segment whose header was not finished. */
  readonly torn: number;
}

/** The path of a segment. */
export function segmentPath(directory: string, number: number): string {
  return join(directory, `${number}.jsonl`);
}

/** The first line of a segment that goes on from this position, or stands for all before it with a base. */
export function segmentHeader(previous: Position, replaced?: readonly SegmentEnd[]): Buffer {
  return sealedLines([], [KIND, VERSION, previous.segment, previous.bytes, ...(replaced ? [WITH_BASE, replaced] : [])]);
}

/** What a new base says of the segments that it stands for: the newest of them. */
export function replacedSegments(chain: readonly Segment[], end: Position): readonly SegmentEnd[] {
  const ends = chain.map((segment): SegmentEnd => [segment.number, segment.number === end.segment ? end.bytes : segment.end]);
  return [...(chain[0]?.replaced ?? []), ...ends].slice(-MAX_REPLACED);
}

/** How much of a segment counted before a base replaced it; nothing where that is no longer remembered. */
export function countedBefore(replaced: readonly SegmentEnd[], segment: number): number | undefined {
  const found = replaced.find(([number]) => number === segment);
  const isForgotten = replaced.length === MAX_REPLACED && segment < replaced[0]![0];
  return isForgotten ? undefined : (found?.[1] ?? 0);
}

/** The numbers of the segments in a directory, in no order; none where there is no directory. */
export function segmentNumbers(disk: Disk, directory: string): number[] {
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
 * The segments that make up the journal: the newest one with a header, and what it goes on from, back to the first or to one with a base.
 * With `below` as if those from that number on did not exist. Throws `STORE_DATA_CORRUPT` where one is missing or its header damaged.
 */
export function segmentChain(place: JournalPlace, below: number = Infinity): SegmentChain {
  const { run, disk, directory } = place;
  const numbers = segmentNumbers(disk, directory)
    .filter((number) => number < below)
    .toSorted((a, b) => b - a);
  const segments: Segment[] = [];
  let torn = 0;
  let wanted: Position | undefined;
  for (const number of numbers) {
    if (wanted !== undefined && number > wanted.segment) continue;
    if (wanted !== undefined && number < wanted.segment) break;
    const header = findHeader(place, number);
    if (typeof header === "number") {
      if (wanted !== undefined) break;
      torn += header;
      continue;
    }
    if (wanted !== undefined && (wanted.bytes > header.size || wanted.bytes < header.start)) {
      throw damaged(run, `segment ${number} has ${header.size} bytes, not the ${wanted.bytes} that were counted`);
    }
    const { size, ...rest } = header;
    segments.unshift({ ...rest, number, end: wanted?.bytes ?? size, newest: wanted === undefined });
    wanted = header.previous;
    if (header.replaced || wanted.segment < 0) return { segments, torn };
  }
  if (wanted !== undefined) throw damaged(run, `segment ${wanted.segment} is missing`);
  return { segments, torn };
}

/** Removes the segments before a base, oldest first: a writer that still holds one must never find its own without the one that follows it. */
export function removeSegments({ disk, directory }: JournalPlace, before: number): void {
  const numbers = segmentNumbers(disk, directory).filter((number) => number < before);
  for (const number of numbers.toSorted((a, b) => a - b)) disk.remove(segmentPath(directory, number));
}

/** The bytes of a segment from one place to another; fewer where the file is shorter. */
export function readSegment({ disk, directory }: JournalPlace, number: number, range: { from: number; to: number }): Buffer {
  const file = disk.open(segmentPath(directory, number), "read");
  try {
    return readSome(disk, file, range.from, range.to - range.from);
  } finally {
    disk.close(file);
  }
}

interface Header extends Pick<Segment, "previous" | "replaced" | "start" | "inode"> {
  readonly size: number;
}

/** The header of a segment, or the size of one whose writer had not finished it. One that stands is never written again. */
function findHeader(place: JournalPlace, number: number): Header | number {
  const { disk, directory, headers } = place;
  const known = headers.get(number);
  const facts = known && disk.facts(segmentPath(directory, number));
  if (known && facts?.inode === known.inode && facts.sizeBytes >= known.start) return { ...known, size: facts.sizeBytes };
  const header = readHeader(place, number);
  if (typeof header === "number") headers.delete(number);
  else headers.set(number, header);
  return header;
}

function readHeader({ run, disk, directory }: JournalPlace, number: number): Header | number {
  const file = disk.open(segmentPath(directory, number), "read");
  try {
    const { sizeBytes, inode } = disk.facts(file)!;
    const bytes = readSome(disk, file, 0, Math.min(sizeBytes, MAX_HEADER));
    const end = bytes.indexOf(10);
    if (end < 0 && bytes.length < MAX_HEADER) return bytes.length;
    const seal = end < 0 || !isSeal(bytes, 0) ? undefined : openSeal(bytes, 0, 0, end);
    if (seal === undefined) {
      if (bytes.subarray(0, end < 0 ? MAX_HEADER : end).includes(0)) return sizeBytes;
      throw damaged(run, `the first line of segment ${number} is not what was written`);
    }
    const [kind, version, segment, before, form, replaced = []] = seal as [string, number, number, number, number?, SegmentEnd[]?];
    if (kind !== KIND || version !== VERSION) {
      throw new WorkflowError(
        "STORE_FAILED",
        `The journal of run ${run} has the form ${version}, this version reads ${VERSION}. Use a newer version of the package.`,
      );
    }
    return { previous: { segment, bytes: before }, start: end + 1, size: sizeBytes, inode, ...(form === WITH_BASE && { replaced }) };
  } finally {
    disk.close(file);
  }
}
