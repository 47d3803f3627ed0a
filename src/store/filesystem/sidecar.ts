import type { RunHead } from "../../core/model/run.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { pathIn, readSome, replaceSoon } from "./disk.ts";
import { foldRows } from "./fold.ts";
import { isSeal, openSeal, sealedLines } from "./line.ts";
import { type PackedState, unpackState } from "./packed-state.ts";
import type { RowLayout } from "./row-index.ts";
import { packPiece, unpackPiece } from "./row-pieces.ts";
import type { PackedPiece } from "./row-pieces.ts";
import { type RunState, emptyState } from "./run-state.ts";
import type { JournalPlace } from "./segments.ts";

const VERSION = 3;
/** The form in which the rows stood in the seal, and no marks. */
const SEALED_ROWS = 1;

/** So much of the end of a sidecar is read at once; more where its last line is longer. */
const TAIL_BYTES = 65_536;
const LINE_FEED = 10;

type SealedState = readonly [
  head: RunHead,
  dropped: readonly (readonly [string, number])[],
  marks: readonly (readonly [segment: number, bytes: number, entries: number])[],
  pieces: readonly PackedPiece[],
  gone: RowLayout["gone"],
  newestRow: number | null,
];

/**
 * Writes the state of a journal, so that neither a runner nor a list reads all of the journal. It is a cache: deleting it costs only time. It also records
 * how long the journal was when all of it was acknowledged, which shows whether a journal has lost its end. The rows are in pieces. The last line is sealed
 * by itself, and holds the rest of the state and the place of each piece. So a reader needs only the end of the file and the rows that it looks for.
 */
export function writeSidecar(disk: Disk, directory: string, temporary: string, state: RunState): void {
  const { head, position, rows, dropped, marks } = state;
  if (head === undefined) return;
  const { bytes, layout } = rows.store(head);
  const { pieces, gone, newest } = layout;
  const places = marks.map(({ segment, bytes, entries }) => [segment, bytes, entries] as const);
  const sealed: SealedState = [head, [...dropped], places, pieces.map(packPiece), gone, newest ?? null];
  const last = sealedLines([], [VERSION, position.segment, position.bytes, ...sealed]);
  replaceSoon(disk, temporary, sidecarPath(directory), Buffer.concat([bytes, last]));
}

/** Reads the state in a sidecar; nothing if there is none, or none that this version can use. */
export function readSidecar(place: JournalPlace): RunState | undefined {
  const tail = readTail(place);
  const seal = tail && openSeal(tail.bytes, tail.line, tail.line, tail.bytes.length - 1);
  if (seal === undefined) return undefined;
  const [version, segment, end, ...sealed] = seal as [number, number, number, ...unknown[]];
  const position = { segment, bytes: end };
  if (version === SEALED_ROWS) {
    const state = emptyState();
    state.apply(unpackState(sealed as unknown as PackedState));
    state.position = position;
    return state;
  }
  if (version !== VERSION) return undefined;
  const [head, dropped, marks, pieces, gone, newest] = sealed as unknown as SealedState;
  const state = emptyState({
    layout: { pieces: pieces.map(unpackPiece), gone, newest: newest ?? undefined },
    bytes: (from, to) => (from >= tail!.start ? tail!.bytes.subarray(from - tail!.start, to - tail!.start) : readPart(place, from, to)),
    fromJournal: () => foldRows(place, position),
  });
  state.apply({ head, checkpoints: [], forgotten: [], dropped });
  for (const [segment, bytes, entries] of marks) state.marks.push({ segment, bytes, entries });
  state.position = position;
  return state;
}

/** The end of a sidecar: from where on in the file, and where in these bytes its last line begins. */
interface Tail {
  readonly start: number;
  readonly bytes: Buffer;
  readonly line: number;
}

function readTail({ disk, directory }: JournalPlace): Tail | undefined {
  return withFile(disk, sidecarPath(directory), (file) => {
    const size = disk.facts(file)!.sizeBytes;
    for (let length = TAIL_BYTES; ; length *= 4) {
      const start = Math.max(0, size - length);
      const bytes = readSome(disk, file, start, size - start);
      if (bytes.length < 2 || bytes.at(-1) !== LINE_FEED) return undefined;
      const line = bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1;
      if (line > 0 || start === 0) return isSeal(bytes, line) ? { start, bytes, line } : undefined;
    }
  });
}

function readPart({ disk, directory }: JournalPlace, from: number, to: number): Buffer | undefined {
  return withFile(disk, sidecarPath(directory), (file) => {
    const bytes = readSome(disk, file, from, to - from);
    return bytes.length === to - from ? bytes : undefined;
  });
}

/** What is found in a file; nothing if it cannot be read. */
function withFile<T>(disk: Disk, path: string, look: (file: number) => T | undefined): T | undefined {
  try {
    const file = disk.open(path, "read");
    try {
      return look(file);
    } finally {
      disk.close(file);
    }
  } catch {
    return undefined;
  }
}

function sidecarPath(directory: string): string {
  return pathIn(directory, "cache.json");
}
