import { closeSync, ftruncateSync } from "node:fs";
import { dirname } from "node:path";
import type { RunHead } from "../../core/model/run.ts";
import type { Commit } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { writeAll } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { damaged, fileFailure } from "./failure.ts";
import { foldChain, readEntries } from "./fold.ts";
import { encodeGroup } from "./group.ts";
import { emptyState, markGroup } from "./run-state.ts";
import type { Position, RunState } from "./run-state.ts";
import { closeSegment, createSegment, holdsRun, inodeOf, reopenSegment } from "./segment-writer.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { segmentChain, segmentHeader, segmentNumbers } from "./segments.ts";
import { readSidecar, writeSidecar } from "./sidecar.ts";
import { lookSteadily } from "./steady.ts";

/** How long a writer waits for another one to finish the header of its segment, before it takes the run itself. */
const HEADER_PATIENCE_MS = 250;
const HEADER_POLL_MS = 5;

/** Runs with fewer rows get a new sidecar whenever their status changes. */
const SMALL_INDEX = 64;

/** The journal of one run on the disk, read and written by one store. */
export interface RunFile {
  /** The state as it is stored now. */
  load(): RunState;
  read(range: { from: number; to: number }): string[];
  commit(commit: Commit): Promise<void>;
  /** Whether a file is open for writing. */
  readonly open: boolean;
  /** Whether it is open and nothing is being written. */
  readonly idle: boolean;
  /** Waits for writes under way and closes the file. */
  release(): Promise<void>;
}

/** What a run file is made of. */
export interface RunFileOptions {
  readonly run: string;
  readonly directory: string;
  readonly disk: Disk;
  temporary(): string;
  warn(message: string): void;
}

interface Pending {
  readonly commit: Commit;
  readonly bytes: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Opens nothing yet: files are opened when they are read or written. */
export function runFile({ run, directory, disk, temporary, warn }: RunFileOptions): RunFile {
  let state = emptyState();
  let writer: SegmentWriter | undefined;
  let queue: Pending[] = [];
  /** The head after everything that waits in the queue or is being written. */
  let ahead: RunHead | undefined;
  let flushing: Promise<void> | undefined;
  /** What a failed write may have left behind the acknowledged end of a segment must never count. */
  let abandoned: (Position & { readonly inode: number }) | undefined;
  /** The file behind the position of the state, so that a run deleted and made again is not taken for the old one. */
  let inodeSeen: number | undefined;
  /** A writer whose file was closed to spare handles. */
  let parked: SegmentWriter | undefined;
  let sidecarBytes = 0;
  let changed = false;

  /** Folds what the disk holds beyond the known state. Gives the bytes of an unfinished write. */
  function refresh(below: number = Infinity): number {
    const known = state;
    state = emptyState();
    const current = known.position.segment >= 0 && inodeOf(directory, known.position.segment) === inodeSeen;
    // Read before the chain, which then holds at least what the sidecar tells of.
    const cached = current ? undefined : readSidecar(directory);
    let chain = segmentChain(run, directory, below);
    const last = chain.at(-1);
    if (last === undefined) return 0;
    if (last.number === abandoned?.segment && last.inode === abandoned.inode) {
      chain = [...chain.slice(0, -1), { ...last, end: Math.max(last.start, abandoned.bytes) }];
    }
    let from = current ? known : emptyState();
    if (cached !== undefined && cached.position.segment < below) {
      const part = chain.find(({ number }) => number === cached.position.segment);
      if (part === undefined || part.end < cached.position.bytes) throw damaged(run, "it is shorter than what had been acknowledged");
      from = cached;
    }
    const folded = foldChain(run, directory, chain, from);
    state = folded.state;
    inodeSeen = inodeOf(directory, state.position.segment);
    return folded.torn;
  }

  function holds(one: SegmentWriter): boolean {
    return holdsRun(directory, one);
  }

  function load(): RunState {
    if (writer !== undefined && (flushing !== undefined || holds(writer))) return state;
    dropWriter();
    lookSteadily(directory, refresh);
    return state;
  }

  function dropWriter(): void {
    if (writer !== undefined) closeSegment(disk, writer);
    writer = undefined;
  }

  function becomeWriter(): SegmentWriter {
    const created = createSegment(directory);
    try {
      const torn = lookSteadily(directory, () => refresh(created.segment));
      if (torn > 0) warn(`The last ${torn} bytes of the journal of run ${run} are of a write that was never finished. They are left out.`);
      created.header = segmentHeader(state.position);
      return created;
    } catch (error) {
      closeSync(created.file);
      throw error;
    }
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await writeBatch(batch);
      } catch (error) {
        const failure = fileFailure(error, `Writing the journal of run ${run}`);
        const lost = [...batch, ...queue];
        queue = [];
        for (const { reject } of lost) reject(failure);
      }
    }
    ahead = undefined;
    flushing = undefined;
  }

  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    const current = writer!;
    const { header } = current;
    const bytes = batch.map((pending) => pending.bytes);
    const whole = header === undefined && bytes.length === 1 ? bytes[0]! : Buffer.concat(header === undefined ? bytes : [header, ...bytes]);
    const start = current.position;
    let held: boolean;
    try {
      current.header = undefined;
      writeAll(disk, current.file, whole, start);
      const synced = syncBatch(current.file, header !== undefined);
      synced.catch(() => {});
      // Looked at while the disk works: who takes the run from now on sees what was written and counts it.
      held = holds(current);
      await synced;
    } catch (error) {
      abandon(current, start);
      throw error;
    }
    current.position += whole.length;
    const counted = held ? current.position : await countedBytes(current);
    let end = start + (header?.length ?? 0);
    const refused: Pending[] = [];
    for (const pending of batch) {
      const groupStart = end;
      end += pending.bytes.length;
      if (end > counted) {
        refused.push(pending);
        continue;
      }
      acknowledge(pending, { segment: current.segment, bytes: groupStart }, end);
    }
    if (!held) {
      if (counted < current.position) ftruncateSync(current.file, counted);
      refused.push(...queue);
      queue = [];
      dropWriter();
      state = emptyState();
    }
    for (const { reject } of refused) reject(conflict(run));
  }

  async function syncBatch(file: number, isNew: boolean): Promise<void> {
    if (!isNew) return disk.sync(file);
    await Promise.all([disk.sync(file), disk.syncDirectory(directory), disk.syncDirectory(dirname(directory))]);
  }

  function acknowledge({ commit, resolve }: Pending, start: Position, end: number): void {
    const before = state.head?.status;
    markGroup(state, start);
    state.apply({ head: commit.head, checkpoints: commit.checkpoints ?? [], forgotten: commit.forgotten ?? [] });
    state.position = { segment: start.segment, bytes: end };
    inodeSeen = writer?.inode;
    changed = true;
    resolve();
    if (before !== commit.head.status && commit.head.status !== "running") setImmediate(saveState);
  }

  /** After a failed write: nothing more is taken from this file, and what it may hold beyond the acknowledged end does not count. */
  function abandon(current: SegmentWriter, acknowledged: number): void {
    abandoned = { segment: current.segment, bytes: acknowledged, inode: current.inode };
    try {
      // What another writer already goes on from stays; so does a header, which another writer may have seen.
      if (acknowledged > 0 && holds(current)) ftruncateSync(current.file, acknowledged);
    } catch {
      // The header of this store's next segment leaves these bytes out in any case.
    }
    closeSync(current.file);
    parked = undefined;
    writer = undefined;
  }

  /** Up to where the segment of a writer counts, now that another segment follows it; 0 where the run was deleted. */
  async function countedBytes(current: SegmentWriter): Promise<number> {
    for (let waited = 0; ; waited += HEADER_POLL_MS) {
      if (inodeOf(directory, current.segment) !== current.inode) return 0;
      // Listed after the chain was read: only a newest segment whose header stood before any other was created decides for good.
      const chain = segmentChain(run, directory);
      const newest = Math.max(...segmentNumbers(directory));
      if (newest === current.segment) return current.position;
      if (chain.at(-1)?.number === newest) return chain.find(({ number }) => number === current.segment)?.end ?? 0;
      if (waited >= HEADER_PATIENCE_MS) await takeOver();
      else await new Promise((resolve) => setTimeout(resolve, HEADER_POLL_MS));
    }
  }

  /** Decides what counts by a segment that follows the one whose writer never wrote a header. */
  async function takeOver(): Promise<void> {
    const next = becomeWriter();
    try {
      writeAll(disk, next.file, next.header!, 0);
      await Promise.all([disk.sync(next.file), disk.syncDirectory(directory)]);
    } finally {
      closeSync(next.file);
    }
  }

  function saveState(): void {
    const grown = state.position.bytes - sidecarBytes;
    if (state.rows.size < SMALL_INDEX || grown > state.position.bytes / 4) writeState();
  }

  function writeState(): void {
    if (!changed || writer === undefined || !holds(writer)) return;
    try {
      writeSidecar(directory, temporary(), state);
      sidecarBytes = state.position.bytes;
      changed = false;
    } catch {
      // A cache that cannot be written costs time and nothing else.
    }
  }

  return {
    load,
    read(range) {
      return lookSteadily(directory, () => {
        const known = load();
        return readEntries(run, directory, segmentChain(run, directory), known, range);
      });
    },
    async commit(commit) {
      try {
        const stale = flushing === undefined && state.head?.revision !== commit.expected?.revision;
        if (writer !== undefined && stale && !holds(writer)) dropWriter();
        if (writer === undefined) {
          lookSteadily(directory, refresh);
          checkExpected(commit, state.head);
          writer = (parked && reopenSegment(directory, parked, state.position)) ?? becomeWriter();
          ahead = state.head;
        }
        checkExpected(commit, flushing === undefined ? state.head : ahead);
      } catch (error) {
        if (flushing === undefined && writer?.header !== undefined) dropWriter();
        throw fileFailure(error, `Opening the journal of run ${run}`);
      }
      const bytes = encodeGroup(commit, flushing === undefined ? state.head : ahead);
      const written = new Promise<void>((resolve, reject) => queue.push({ commit, bytes, resolve, reject }));
      ahead = commit.head;
      flushing ??= flush();
      return written;
    },
    get open() {
      return writer !== undefined;
    },
    get idle() {
      return writer !== undefined && flushing === undefined;
    },
    async release() {
      await flushing;
      writeState();
      if (writer?.header === undefined) parked = writer;
      dropWriter();
    },
  };
}
