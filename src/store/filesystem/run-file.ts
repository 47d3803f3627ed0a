import type { RunHead } from "../../core/model/run.ts";
import type { Commit, Note } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { countedBytes } from "./counted-bytes.ts";
import { writeAll } from "./disk.ts";
import { errorCode, fileFailure } from "./failure.ts";
import { readEntries } from "./fold.ts";
import { encodeGroup } from "./group.ts";
import type { Change } from "./group.ts";
import { dropRevisions, readNotes, removeDropped, removeNote, writeNote } from "./notes.ts";
import { abandonWriter, becomeWriter, dropWriter, holds, refresh, syncBefore, syncNames, tidy } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { emptyState, markGroup, NOWHERE } from "./run-state.ts";
import type { Position, RunState } from "./run-state.ts";
import { reopenSegment } from "./segment-writer.ts";
import { removeSegments, segmentChain } from "./segments.ts";
import type { JournalPlace } from "./segments.ts";
import { sidecarKeeper } from "./sidecar-keeper.ts";
import { lookSteadily } from "./steady.ts";
import { writeBase } from "./write-base.ts";

/** Dropped notes that are remembered though their files are gone, until it costs less to make sure that none comes back. */
const MANY_DROPPED = 64;

/** The journal of one run on the disk, and its notes, read and written by one store. */
export interface RunFile {
  /** The state as it is stored now. */
  load(): RunState;
  read(range: { from: number; to: number }): Promise<string[]>;
  commit(commit: Commit): Promise<void>;
  putNote(key: string, text: string | undefined): void;
  notes(prefix: string): Note[];
  /** Whether a file is open for writing. */
  readonly open: boolean;
  /** Whether it is open and nothing is being written. */
  readonly idle: boolean;
  /** Waits for writes under way and closes the file. */
  release(): Promise<void>;
}

/** What a run file is made of. */
export interface RunFileOptions extends Omit<JournalPlace, "headers"> {
  temporary(): string;
  warn(message: string): void;
}

interface Pending {
  readonly commit: Commit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Opens nothing yet: files are opened when they are read or written. */
export function runFile(options: RunFileOptions): RunFile {
  const { run, directory, disk } = options;
  const own: OpenRun = {
    ...options,
    headers: new Map(),
    state: emptyState(),
    writer: undefined,
    parked: undefined,
    abandoned: undefined,
    inodeSeen: undefined,
    acknowledged: NOWHERE,
    unsynced: [],
    replaced: 0,
  };
  const queue: Pending[] = [];
  /** The head after everything that waits in the queue or is being written. */
  let ahead: RunHead | undefined;
  let flushing: Promise<void> | undefined;
  /** While a base is put in place, the segments that the state stands on are not the ones that count. */
  let placing: Promise<void> | undefined;
  const sidecar = sidecarKeeper(own);

  function load(): RunState {
    if (own.writer !== undefined && (flushing !== undefined || holds(own, own.writer))) return own.state;
    dropWriter(own);
    lookSteadily(disk, directory, () => refresh(own));
    return own.state;
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const base = queue.findIndex(({ commit }) => commit.base !== undefined);
      const batch = queue.splice(0, base < 0 ? queue.length : Math.max(1, base));
      try {
        placing = base === 0 ? writeWithBase(batch[0]!) : undefined;
        await (placing ?? writeBatch(batch));
      } catch (error) {
        const failure = fileFailure(error, `Writing the journal of run ${run}`);
        const lost = [...batch, ...queue.splice(0)];
        for (const { reject } of lost) reject(failure);
      }
      placing = undefined;
      if (own.state.dropped.size > MANY_DROPPED) await forgetDropped();
    }
    ahead = undefined;
    flushing = undefined;
  }

  async function writeBatch(batch: readonly Pending[]): Promise<void> {
    const current = own.writer!;
    if (current.header !== undefined) await syncBefore(own);
    // A writer that slept finds out before it writes: then it is sure that nothing of this counts.
    if (!holds(own, current)) return loseRun([...batch, ...queue.splice(0)]);
    const { header } = current;
    const start = current.position;
    const changes = batch.map(({ commit }) => changeOf(commit));
    const groups = batch.map(({ commit }, index) =>
      encodeGroup({ commit, dropped: changes[index]!.dropped, continues: index > 0 }, changes[index - 1]?.head ?? own.state.head),
    );
    const whole =
      header === undefined && groups.length === 1 ? groups[0]! : Buffer.concat(header === undefined ? groups : [header, ...groups]);
    let held: boolean;
    try {
      current.header = undefined;
      writeAll(disk, current.file, whole, start);
      const synced = header === undefined ? disk.sync(current.file) : Promise.all([disk.sync(current.file), syncNames(own)]);
      synced.catch(() => {});
      // Looked at while the disk works: who takes the run from now on sees what was written and counts it.
      held = holds(own, current);
      await synced;
    } catch (error) {
      abandonWriter(own, current, start);
      throw error;
    }
    current.position += whole.length;
    const counted = held ? current.position : await countedBytes(own, current).catch(giveUp);
    let end = start + (header?.length ?? 0);
    const refused: Pending[] = [];
    for (const [index, pending] of batch.entries()) {
      const groupStart = end;
      end += groups[index]!.length;
      if (end > counted) refused.push(pending);
      else acknowledge(pending, changes[index]!, { segment: current.segment, bytes: groupStart, end });
    }
    if (held) {
      if (header !== undefined) attempt(() => tidy(own));
      return;
    }
    if (counted < current.position) disk.truncate(current.file, counted);
    loseRun([...refused, ...queue.splice(0)]);
  }

  async function writeWithBase(pending: Pending): Promise<void> {
    const before = own.writer!;
    const change = changeOf(pending.commit);
    const written = await writeBase(own, pending.commit, change);
    if (written === undefined) return loseRun([pending, ...queue.splice(0)]);
    disk.close(before.file);
    own.writer = written.writer;
    try {
      await syncNames(own);
    } catch (error) {
      // It is there and may go again: the next look at the disk tells, and the next write syncs its name once more.
      giveUp(error);
    }
    const status = own.state.head?.status;
    own.state = written.state;
    settle(pending, change, status);
    // From now on a base that is lost is missed, though nothing else tells of it.
    sidecar.write();
    attempt(() => removeSegments(own, written.writer.segment));
  }

  /** What a commit changes. Asked for in the order in which commits are written, so that notes are looked for as late as can be. */
  function changeOf({ head, checkpoints = [], forgotten = [], dropNotes = [] }: Commit): Change {
    return { head, checkpoints, forgotten, dropped: dropRevisions(disk, directory, dropNotes, head.revision) };
  }

  function acknowledge(pending: Pending, change: Change, place: Position & { readonly end: number }): void {
    const status = own.state.head?.status;
    markGroup(own.state, { segment: place.segment, bytes: place.bytes });
    own.state.apply(change);
    own.state.position = { segment: place.segment, bytes: place.end };
    settle(pending, change, status);
  }

  function settle({ commit, resolve }: Pending, { dropped }: Change, before: RunHead["status"] | undefined): void {
    own.inodeSeen = own.writer?.inode;
    own.acknowledged = own.state.position;
    sidecar.changed();
    resolve();
    if (dropped.length > 0) attempt(() => removeDropped(disk, directory, new Map(dropped)));
    if (before !== commit.head.status && commit.head.status !== "running") setImmediate(sidecar.save);
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
      while (placing !== undefined) await placing.catch(() => {});
      return lookSteadily(disk, directory, () => {
        const known = load();
        return readEntries(own, segmentChain(own).segments, known, range);
      });
    },
    async commit(commit) {
      try {
        const stale = flushing === undefined && own.state.head?.revision !== commit.expected?.revision;
        if (own.writer !== undefined && stale && !holds(own, own.writer)) dropWriter(own);
        if (own.writer === undefined) {
          lookSteadily(disk, directory, () => refresh(own));
          checkExpected(commit, own.state.head);
          const { parked, state } = own;
          own.writer = (parked && reopenSegment(disk, directory, { closed: parked, end: state.position })) ?? becomeWriter(own);
          ahead = own.state.head;
        }
        checkExpected(commit, flushing === undefined ? own.state.head : ahead);
      } catch (error) {
        if (flushing === undefined && own.writer?.header !== undefined) dropWriter(own);
        // Who was refused because of what is being written reads again, and has to find it.
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
        // Deleted meanwhile.
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
    async release() {
      await flushing;
      sidecar.write();
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
