import type { RunHead } from "../../core/model/run.ts";
import type { Commit, Note } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { countedBytes, waitForHolder } from "./counted-bytes.ts";
import { allSynced, writeAll } from "./disk.ts";
import { errorCode, fileFailure } from "./failure.ts";
import { readEntries } from "./fold.ts";
import { encodeGroup } from "./group.ts";
import type { Change } from "./group.ts";
import { dropRevisions, readNotes, removeDropped, removeNote, writeNote } from "./notes.ts";
import { abandonWriter, becomeWriter, dropWriter, holds, isUnchanged, recall, refresh, syncBefore, syncNames, tidy } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { changesLists } from "./run-entry.ts";
import type { RunEntry } from "./run-entry.ts";
import { NOWHERE, type RunState, emptyState, markGroup } from "./run-state.ts";
import { type SegmentWriter, cutSegment, followSegment, reopenSegment, trimSegment, writeGroups } from "./segment-writer.ts";
import { segmentChain } from "./segments.ts";
import type { JournalPlace } from "./segments.ts";
import { sidecarKeeper } from "./sidecar-keeper.ts";
import { lookSteadily } from "./steady.ts";
import { baseSegment, mergedSegment } from "./whole-segment.ts";
import type { WholeSegment } from "./whole-segment.ts";

/** The most dropped notes that are remembered after their files are gone; with more, it is cheaper to make sure that none comes back. */
const MANY_DROPPED = 64;

/** The journal of one run on the disk, and its notes, read and written by one store. */
export interface RunFolder {
  /** Reads the stored state. The entry of a list avoids reading unchanged parts. */
  load(entry?: RunEntry): RunState;
  read(range: { from: number; to: number }): Promise<string[]>;
  commit(commit: Commit): Promise<void>;
  putNote(key: string, text: string | undefined): void;
  notes(prefix: string): Note[];
  /** Whether a file is open for writing. */
  readonly open: boolean;
  /** Whether a file is open and nothing is being written. */
  readonly idle: boolean;
  /** Whether this object can be dropped: all that it knows is on the disk. */
  readonly disposable: boolean;
  /** Waits for running writes, and closes the file. */
  release(): Promise<void>;
}

/** What a run folder is made of. */
export interface RunFolderOptions extends Omit<JournalPlace, "headers"> {
  temporary(): string;
  warn(message: string): void;
  syncAbove(): Promise<void>;
  /** Called before a commit is written that changes what lists go by, with the revision that the run will have. */
  noting(revision: number): void;
  /** Called with a state that nothing is being added to: the run came to rest, or is released. */
  noted(state: RunState): void;
}

interface Pending {
  readonly commit: Commit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Opens nothing yet: files are opened when they are read or written. */
export function runFolder(options: RunFolderOptions): RunFolder {
  const { run, directory, disk } = options;
  const own: OpenRun = {
    ...options,
    headers: new Map(),
    state: emptyState(),
    writer: undefined,
    parked: undefined,
    unused: undefined,
    abandoned: undefined,
    inodeSeen: undefined,
    changesSeen: undefined,
    acknowledged: NOWHERE,
    unsynced: [],
    replaced: 0,
  };
  const queue: Pending[] = [];
  /** The head after everything that waits in the queue or is being written. */
  let ahead: RunHead | undefined;
  let flushing: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  /** Whether the current write replaces all segments before it: then the segments of the state may no longer count. */
  let isWhole = false;
  const sidecar = sidecarKeeper(own);

  function load(entry?: RunEntry): RunState {
    if (own.writer !== undefined && (flushing !== undefined || holds(own, own.writer))) return own.state;
    dropWriter(own);
    if (!isUnchanged(own) && (entry === undefined || !recall(own, entry))) lookSteadily(disk, directory, () => refresh(own));
    return own.state;
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const base = queue.findIndex(({ commit }) => commit.base !== undefined);
      const batch = queue.splice(0, base < 0 ? queue.length : Math.max(1, base));
      try {
        writing = writeBatch(batch);
        await writing;
      } catch (error) {
        const failure = fileFailure(error, `Writing the journal of run ${run}`);
        const lost = [...batch, ...queue.splice(0)];
        for (const { reject } of lost) reject(failure);
      }
      isWhole = false;
      if (own.state.dropped.size > MANY_DROPPED) await forgetDropped();
    }
    ahead = undefined;
    flushing = undefined;
  }

  /** Writes commits one behind the other; one with a base comes alone. */
  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    const { commit } = batch[0]!;
    noteChange(batch);
    const change = commit.base && changeOf(commit);
    const isNew = change !== undefined || own.writer!.header !== undefined;
    const whole = isNew ? await begin(commit, change) : undefined;
    const current = own.writer!;
    // Another store may have taken the run, and a segment with a header would count.
    if (isNew && !holds(own, current)) {
      // What is wrong with the files is for the next look at them to tell.
      await waitForHolder(own).catch(() => {});
      return loseRun([...batch, ...queue.splice(0)]);
    }
    const { header, position: start } = current;
    const changes = change === undefined ? batch.map((pending) => changeOf(pending.commit)) : [change];
    const groups = change === undefined ? encoded(batch, changes) : [];
    let held: boolean;
    let inSync = false;
    try {
      if (change === undefined) writeGroups(disk, current, groups);
      // Last, since nothing of a new segment counts without it.
      if (header !== undefined) writeAll(disk, current.file, header, 0);
      current.header = undefined;
      inSync = true;
      const synced = header === undefined ? disk.sync(current.file) : allSynced([disk.sync(current.file), syncNames(own, current)]);
      synced.catch(() => {});
      // Checked while the disk syncs: a store that takes the run from now on sees these bytes and counts them.
      held = holds(own, current);
      await synced;
    } catch (error) {
      abandonWriter(own, current, { acknowledged: start, inSync });
      throw error;
    }
    const counted = held ? current.position : await countedBytes(own, current).catch(giveUp);
    let status = own.state.head?.status;
    if (whole !== undefined && counted >= start) own.state = whole.state;
    let end = start;
    const refused: Pending[] = [];
    for (const [index, pending] of batch.entries()) {
      const place = { segment: current.segment, bytes: end };
      end += groups[index]?.length ?? 0;
      if (end > counted) {
        refused.push(pending);
        continue;
      }
      // What a whole segment begins with is in its state.
      if (change === undefined) markGroup(own.state, place);
      if (change === undefined) own.state.apply(changes[index]!);
      own.state.position = { segment: current.segment, bytes: end };
      settle(pending, changes[index]!, status);
      status = pending.commit.head.status;
    }
    if (!held) {
      if (counted < current.position) cutSegment(disk, current, counted);
      return loseRun([...refused, ...queue.splice(0)]);
    }
    if (header === undefined) return;
    if (whole !== undefined) {
      own.replaced = current.segment;
      // From now on a loss is noticed, although no older segment shows it.
      sidecar.write();
    }
    attempt(() => tidy(own));
  }

  /** Notes the run for lists if these commits change its place or traits there, before any of them can be read. */
  function noteChange(batch: readonly Pending[]): void {
    let before = own.state.head;
    for (const { commit } of batch) {
      if (changesLists(commit.head, before)) return options.noting(batch.at(-1)!.commit.head.revision);
      before = commit.head;
    }
  }

  /**
   * Prepares the first write to a segment: puts the replacement of all earlier segments into it, or syncs the segments that it continues. A base goes into a
   * separate segment. Harmless if another store has taken the run.
   */
  async function begin(commit: Commit, change: Change | undefined): Promise<WholeSegment | undefined> {
    let whole: WholeSegment | undefined;
    try {
      whole = change === undefined ? mergedSegment(own) : baseSegment(own, commit, change);
    } catch (error) {
      // Another store may have taken the run and replaced the files to be read. Merging only saves time.
      if (change !== undefined && holds(own, own.writer!)) throw error;
    }
    if (whole !== undefined && own.writer!.header === undefined) {
      const next = followSegment(disk, directory, own.writer!);
      if (next === undefined) return undefined;
      disk.close(own.writer!.file);
      next.header = whole.header;
      own.writer = next;
    }
    const writer = own.writer!;
    if (whole !== undefined && !putInto(writer, whole, change !== undefined)) whole = undefined;
    if (whole === undefined) {
      await syncBefore(own, writer);
      return undefined;
    }
    isWhole = true;
    try {
      await disk.sync(writer.file);
    } catch (error) {
      abandonWriter(own, writer, { acknowledged: 0, inSync: true });
      throw error;
    }
    own.unsynced = [];
    writer.header = whole.header;
    writer.position = whole.state.position.bytes;
    return whole;
  }

  /** Writes all of a segment except its header. If the disk is full, the segment stays empty; throws if it must have the content. */
  function putInto(writer: SegmentWriter, whole: WholeSegment, must: boolean): boolean {
    try {
      writeAll(disk, writer.file, whole.bytes, whole.header.length);
      return true;
    } catch (error) {
      if (!must && emptied(writer)) return false;
      abandonWriter(own, writer, { acknowledged: 0, inSync: false });
      throw error;
    }
  }

  function emptied({ file }: SegmentWriter): boolean {
    try {
      disk.truncate(file, 0);
      return true;
    } catch {
      return false;
    }
  }

  function encoded(batch: readonly Pending[], changes: readonly Change[]): Buffer[] {
    return batch.map(({ commit }, index) =>
      encodeGroup({ commit, dropped: changes[index]!.dropped, continues: index > 0 }, changes[index - 1]?.head ?? own.state.head),
    );
  }

  /** What a commit changes. Asked for in the order in which commits are written, so that notes are looked for as late as can be. */
  function changeOf({ head, checkpoints = [], forgotten = [], dropNotes = [] }: Commit): Change {
    return { head, checkpoints, forgotten, dropped: dropRevisions(disk, directory, dropNotes, head.revision) };
  }

  function settle({ commit, resolve }: Pending, { dropped }: Change, before: RunHead["status"] | undefined): void {
    own.inodeSeen = own.writer?.inode;
    own.changesSeen = undefined;
    own.acknowledged = own.state.position;
    sidecar.changed();
    resolve();
    if (dropped.length > 0) attempt(() => removeDropped(disk, directory, new Map(dropped)));
    if (before !== commit.head.status && commit.head.status !== "running") setImmediate(rest);
  }

  function rest(): void {
    if (flushing === undefined) trim();
    sidecar.save();
    if (flushing === undefined) attempt(() => options.noted(own.state));
  }

  /** Lists compare the length of the file with what they know. */
  function trim(): void {
    const { writer } = own;
    if (writer !== undefined) attempt(() => trimSegment(disk, writer));
  }

  /** Makes sure that no dropped note comes back, and stops remembering them. */
  async function forgetDropped(): Promise<void> {
    const { dropped } = own.state;
    try {
      removeDropped(disk, directory, dropped);
      await disk.syncDirectory(directory);
      dropped.clear();
    } catch {
      // They stay remembered.
    }
  }

  /** Another store has the run, or deleted it. */
  function loseRun(refused: readonly Pending[]): void {
    dropWriter(own);
    own.state = emptyState();
    for (const { reject } of refused) reject(conflict(run));
  }

  /** Whether the write counts cannot be told: the next look at the disk tells. */
  function giveUp(error: unknown): never {
    dropWriter(own);
    own.state = emptyState();
    throw error;
  }

  return {
    load,
    async read(range) {
      while (isWhole) await writing!.catch(() => {});
      return lookSteadily(disk, directory, () => {
        const known = load();
        return readEntries(own, segmentChain(own), known, range);
      });
    },
    async commit(commit) {
      try {
        const stale = flushing === undefined && own.state.head?.revision !== commit.expected?.revision;
        if (own.writer !== undefined && stale && !holds(own, own.writer)) dropWriter(own);
        if (own.writer === undefined) {
          load();
          checkExpected(commit, own.state.head);
          const { parked, state } = own;
          own.writer = (parked && reopenSegment(disk, directory, { closed: parked, end: state.position })) ?? becomeWriter(own);
          ahead = own.state.head;
        }
        checkExpected(commit, flushing === undefined ? own.state.head : ahead);
      } catch (error) {
        if (flushing === undefined && own.writer?.header !== undefined) dropWriter(own);
        // A caller that is refused because of the current write reads again, and must find it.
        await flushing;
        throw fileFailure(error, `Opening the journal of run ${run}`);
      }
      const written = new Promise<void>((resolve, reject) => queue.push({ commit, resolve, reject }));
      ahead = commit.head;
      flushing ??= flush();
      return written;
    },
    putNote(key, text) {
      const { head, dropped } = load();
      if (head === undefined) return;
      try {
        if (text === undefined) removeNote(disk, directory, key);
        else writeNote(disk, directory, own.temporary(), { key, text, revision: Math.max(head.revision, dropped.get(key) ?? 0) });
      } catch (error) {
        // The run has been deleted.
        if (errorCode(error) !== "ENOENT" || disk.facts(directory) !== undefined) throw error;
      }
    },
    notes(prefix) {
      return lookSteadily(disk, directory, () => {
        const { head, dropped } = load();
        return head === undefined ? [] : readNotes(disk, directory, { dropped, prefix });
      });
    },
    get open() {
      return own.writer !== undefined;
    },
    get idle() {
      return own.writer !== undefined && flushing === undefined;
    },
    get disposable() {
      return own.writer === undefined && flushing === undefined && own.abandoned === undefined;
    },
    async release() {
      // Another write may have begun when the one before came to its end.
      while (flushing !== undefined) await flushing;
      trim();
      sidecar.write();
      if (own.writer !== undefined) attempt(() => options.noted(own.state));
      if (own.writer?.header === undefined) own.parked = own.writer;
      dropWriter(own);
    },
  };
}

/** Tidies up; what fails is left to the next writer. */
function attempt(tidying: () => void): void {
  try {
    tidying();
  } catch {}
}
