import { join } from "node:path";
import type { RunHead } from "../../core/model/run.ts";
import type { Disk } from "../../core/ports/disk.ts";
import type { RunQuery } from "../../core/ports/store.ts";
import { compareRuns, matchesRun } from "../listing.ts";
import type { RunPlace } from "../listing.ts";
import { timeline } from "../timeline.ts";
import type { TimelineNode } from "../timeline.ts";
import type { ChangeLog, LogPlace, NotedChanges } from "./change-log.ts";
import type { StoreDirectories } from "./directories.ts";
import { namesIn, pathIn } from "./disk.ts";
import { fileName, keyOfFile, shardOf } from "./names.ts";
import { entryOf } from "./run-entry.ts";
import type { RunEntry } from "./run-entry.ts";
import type { RunState } from "./run-state.ts";
import { shard } from "./shard.ts";
import type { Shard } from "./shard.ts";

const SHARD = /^[0-9a-f]{2}$/;
/** Holds the runs of a store of the first form, beside those of the shards. */
const FLAT = "flat";

/** New entries are saved once there are this many, and this part of all: if the process dies, the next one has little to read again. */
const FEW_RUNS = 16;
const PART_OF_ALL = 8;

/** How many runs a list reads before it yields. */
const RUNS_A_TURN = 100;

/** An entry and its shard. */
export interface ListedRun extends RunPlace {
  readonly entry: RunEntry;
  readonly shard: Shard;
}

/** Which runs of an index are asked for. */
export interface ListedRange {
  readonly after: RunPlace | undefined;
  /** At most so many. */
  readonly count: number;
}

/** What lists know of all runs of a store. */
export interface RunIndex {
  /** Brings the index up to date: which runs there are, and their places. */
  refresh(): Promise<void>;
  readonly shards: Iterable<Shard>;
  /** Returns the runs of a query in its order, as far as the index knows them. */
  runs(query: RunQuery, range?: ListedRange): readonly ListedRun[];
  /** Notes a write of this process, so that no list need read it. */
  note(directory: string, state: RunState): void;
  /** Yields now and then. */
  rest(): Promise<void>;
  /** Saves the entries for other processes. */
  close(): Promise<void>;
}

/** What a {@link RunIndex} works on. */
export interface RunIndexOptions {
  readonly disk: Disk;
  readonly directories: StoreDirectories;
  readonly changes: ChangeLog;
  temporary(): string;
  /** Reads the state of a run. Throws if it cannot be read. */
  load(run: string): RunState;
}

/** Returns the directory of a run: in its shard, or the place of a store of the first form. */
export function runDirectory(disk: Disk, runs: string, run: string): string {
  const name = fileName(run);
  const flat = pathIn(runs, name);
  return disk.facts(flat) === undefined ? pathIn(pathIn(runs, shardOf(name)), name) : flat;
}

/** A {@link RunIndex} that knows nothing yet. */
export function runIndex({ disk, directories, changes, temporary, load }: RunIndexOptions): RunIndex {
  const { runs, index } = directories;
  const shards = new Map<string, Shard>();
  const order = timeline<ListedRun, RunPlace>(compareRuns);
  const nodes = new Map<string, TimelineNode<ListedRun>>();
  /** The place in the log of changes up to which it was read. */
  let followed: LogPlace | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let looks = 0;

  function shardNamed(name: string): Shard {
    const found = shards.get(name);
    if (found !== undefined) return found;
    const directory = name === FLAT ? runs : join(runs, name);
    const made = shard({
      disk,
      directory,
      cache: join(index, name),
      look: (run) => {
        const state = load(run);
        return hasHead(state) ? entryOf(disk, join(directory, fileName(run)), state) : undefined;
      },
      rest,
      listed: (run, entry) => place(run, entry && listedRun(entry, made)),
    });
    shards.set(name, made);
    return made;
  }

  function place(run: string, listed: ListedRun | undefined): void {
    const node = nodes.get(run);
    if (node !== undefined && listed !== undefined && compareRuns(node.item, listed) === 0) {
      node.item = listed;
      return;
    }
    if (node !== undefined) order.remove(node);
    if (listed === undefined) nodes.delete(run);
    else nodes.set(run, order.add(listed));
  }

  async function rest(): Promise<void> {
    looks += 1;
    if (looks % RUNS_A_TURN === 0) await new Promise(setImmediate);
  }

  /** Returns the notes since the last time; the first time, those since the oldest cache was saved. A shard whose cache is too old reads all of its runs. */
  function follow(some: readonly Shard[]): NotedChanges {
    const noted = followed && changes.since(followed);
    if (noted !== undefined) return noted;
    const stamps = some.map((one) => ({ one, at: followed === undefined ? one.load() : undefined }));
    const loaded = some.flatMap((one) => [...one.entries].map((entry) => listedRun(entry, one)));
    for (const run of loaded.toSorted(compareRuns)) place(run.id, run);
    const places = stamps.flatMap(({ at }) => at ?? []).toSorted((a, b) => a.number - b.number || a.bytes - b.bytes);
    for (const oldest of places) {
      const since = changes.since(oldest);
      if (since === undefined) continue;
      for (const { one, at } of stamps) if (at === undefined || !isBehind(at, oldest)) one.doubt();
      return since;
    }
    for (const { one } of stamps) one.doubt();
    return { revisions: new Map(), place: changes.end() };
  }

  /** Refreshes these shards. Returns the place in the log up to which they know all changes. */
  async function refreshSome(some: readonly Shard[]): Promise<LogPlace> {
    const { revisions, place } = follow(some);
    const noted = new Map(some.map((one) => [one, new Map<string, number>()]));
    const flat = shards.get(FLAT);
    for (const [run, revision] of revisions) {
      const one = flat?.has(run) === true ? flat : shards.get(shardOf(fileName(run)));
      if (one !== undefined) noted.get(one)?.set(run, revision);
    }
    for (const [one, revisions] of noted) await one.refresh(revisions);
    return place;
  }

  async function refreshAll(): Promise<void> {
    const names = new Set(namesIn(disk, runs).flatMap((name) => (SHARD.test(name) ? [name] : keyOfFile(name) === undefined ? [] : [FLAT])));
    for (const name of names) shardNamed(name);
    const followedNow = await refreshSome([...shards.values()]);
    // Only after all shards have read the notes.
    followed = followedNow;
    saveAll(followed, Math.max(FEW_RUNS, nodes.size / PART_OF_ALL));
    for (const name of shards.keys()) if (!names.has(name)) shards.delete(name);
  }

  /** Saves new entries for other processes, if there are at least this many. */
  function saveAll(place: LogPlace, least: number): void {
    const some = [...shards.values()];
    if (some.reduce((sum, { unsaved }) => sum + unsaved, 0) >= least) for (const one of some) one.save(temporary(), place);
  }

  async function close(): Promise<void> {
    await refreshing.catch(() => {});
    const written = [...shards.values()].filter(({ hasNotes }) => hasNotes);
    if (written.length > 0) {
      const place = await refreshSome(written);
      for (const one of written) one.save(temporary(), place);
    }
    if (followed !== undefined) saveAll(followed, 1);
  }

  return {
    // One after another: a list must see all that was written before it began.
    refresh: () => (refreshing = refreshing.catch(() => {}).then(refreshAll)),
    get shards() {
      return shards.values();
    },
    runs(query, { after, count } = { after: undefined, count: Infinity }) {
      const found: ListedRun[] = [];
      for (const run of query.oldestFirst === true ? order.ascending(after) : order.descending(after)) {
        if (found.length >= count) break;
        if (matchesRun(query, run.entry)) found.push(run);
      }
      return found;
    },
    note(directory, state) {
      if (!hasHead(state)) return;
      const name = directory.slice(runs.length + 1).split(/[\\/]/)[0]!;
      shardNamed(SHARD.test(name) ? name : FLAT).note(entryOf(disk, directory, state));
    },
    rest,
    close,
  };
}

/** An entry as lists walk over it. */
export function listedRun(entry: RunEntry, shard: Shard): ListedRun {
  return { changedAt: entry.changedAt, id: entry.id, entry, shard };
}

/** Whether one place of a log is not before another one. */
function isBehind(place: LogPlace, other: LogPlace): boolean {
  return place.number === other.number ? place.id === other.id && place.bytes >= other.bytes : place.number > other.number;
}

function hasHead(state: RunState): state is RunState & { readonly head: RunHead } {
  return state.head !== undefined;
}
