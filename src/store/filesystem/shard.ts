import type { Disk, FileFacts } from "../../core/ports/disk.ts";
import type { LogPlace } from "./change-log.ts";
import { namesIn, pathIn, readFile, replaceSoon } from "./disk.ts";
import { openFile, sealedBytes } from "./line.ts";
import { fileName, keyOfFile } from "./names.ts";
import { entryLine, isCurrent, readEntryLine } from "./run-entry.ts";
import type { RunEntry } from "./run-entry.ts";
import { hasSameNames, settledNames } from "./steady.ts";
import type { Names } from "./steady.ts";

const VERSION = 3;

/** What a shard is made of. */
export interface ShardPlace {
  readonly disk: Disk;
  /** Holds directories of runs. */
  readonly directory: string;
  /** The file with its entries, for other processes and later. */
  readonly cache: string;
  /** Reads the entry of a run; nothing if it has no head. Throws if it cannot be read. */
  look(run: string): RunEntry | undefined;
  /** Awaited now and then, to yield. */
  rest(): Promise<void>;
  /** Called when the entry of a run has changed; without an entry if the run is gone or can no longer be read. */
  listed(run: string, entry: RunEntry | undefined): void;
}

/** One of the directories that hold the runs, and what lists know of the runs in it. */
export interface Shard {
  readonly directory: string;
  /** How many runs it has, including those that cannot be read. */
  readonly size: number;
  /** Runs that cannot be read, with the error of each. */
  readonly damaged: ReadonlyMap<string, unknown>;
  has(run: string): boolean;
  /** Returns the known entry of a run. */
  entry(run: string): RunEntry | undefined;
  /** Loads the saved entries, without calls of `listed`. Returns the place in the log of changes that they include, if it is still valid. */
  load(): LogPlace | undefined;
  readonly entries: Iterable<RunEntry>;
  /** Whether this process wrote to its runs since it was refreshed. */
  readonly hasNotes: boolean;
  /** Brings the list of runs up to date, and reads the noted runs. Reads nothing else if the directory has not changed. */
  refresh(noted: ReadonlyMap<string, number>): Promise<void>;
  /** Notes the entry of a run that this process wrote. */
  note(entry: RunEntry): void;
  /** Reads a run again that has changed. */
  settle(run: string): void;
  /** Makes the next refresh read all runs again. */
  doubt(): void;
  /** How many entries differ from the saved ones. */
  readonly unsaved: number;
  /** Saves the entries with their place in the log of changes, if any have changed. */
  save(temporary: string, place: LogPlace): void;
}

/**
 * A {@link Shard}. Its entries are a cache of the journals. They are valid while the directory is unchanged, except for the runs that the log of changes
 * names: the time of a directory shows every run that was made, deleted or copied in by hand. Otherwise each run is compared with its newest segment.
 */
export function shard({ disk, directory, cache, look, rest, listed }: ShardPlace): Shard {
  const entries = new Map<string, RunEntry>();
  /** The directory as it was when its names were read; absent while they may have changed unseen. */
  let seen: Names | undefined;
  const notes = new Map<string, RunEntry>();
  /** Runs without a head, and damaged ones: they may change without a trace in the directory. */
  const unsettled = new Map<string, unknown>();
  /** Revisions that were noted for runs and are still to come: their writer is about to write, or died. */
  const awaited = new Map<string, number>();
  let unsaved = 0;

  function set(run: string, entry: RunEntry | undefined): void {
    if (entries.get(run) === entry) return;
    if (entry === undefined) entries.delete(run);
    else entries.set(run, entry);
    unsaved += 1;
    listed(run, entry);
  }

  /** What is there under a name, as far as it can be told. */
  function settle(run: string): void {
    const known = notes.get(run) ?? entries.get(run);
    notes.delete(run);
    unsettled.delete(run);
    const path = pathIn(directory, fileName(run));
    if (known !== undefined && isCurrent(disk, path, known)) return set(run, known);
    let found: RunEntry | undefined;
    try {
      found = look(run);
      if (found === undefined && disk.facts(path) !== undefined) unsettled.set(run, undefined);
    } catch (error) {
      unsettled.set(run, error);
    }
    set(run, found);
  }

  /** Looks at a run that has, or is about to have, this revision. */
  function expectRevision(run: string, revision: number): void {
    awaited.delete(run);
    if ((entries.get(run)?.revision ?? 0) >= revision) return;
    settle(run);
    const found = entries.get(run);
    if (found !== undefined && found.revision < revision) awaited.set(run, revision);
  }

  async function readAll(facts: FileFacts): Promise<void> {
    const settled = settledNames(facts);
    const runs = new Set(namesIn(disk, directory).flatMap((name) => keyOfFile(name) ?? []));
    for (const run of runs) {
      settle(run);
      await rest();
    }
    for (const run of entries.keys()) if (!runs.has(run)) set(run, undefined);
    for (const run of unsettled.keys()) if (!runs.has(run)) unsettled.delete(run);
    notes.clear();
    seen = settled;
  }

  async function refresh(noted: ReadonlyMap<string, number>): Promise<void> {
    const facts = disk.facts(directory);
    if (facts === undefined) {
      for (const run of entries.keys()) set(run, undefined);
      unsettled.clear();
      awaited.clear();
      seen = undefined;
      return;
    }
    if (!hasSameNames(facts, seen)) await readAll(facts);
    else for (const run of [...unsettled.keys(), ...notes.keys()]) settle(run);
    for (const [run, revision] of [...awaited, ...noted]) {
      expectRevision(run, Math.max(revision, awaited.get(run) ?? 0));
      await rest();
    }
  }

  /** A cache that cannot be written costs time and nothing else. */
  function keep(temporary: string, place: LogPlace): void {
    const { number, id, bytes } = place;
    const lines = [...entries.values()].map(entryLine);
    const changes = [disk.session, number, id, bytes] satisfies LogStamp;
    const seal: Seal = [VERSION, seen?.inode ?? 0, seen?.changedAt ?? 0, [...unsettled.keys()], [...awaited], changes];
    try {
      replaceSoon(disk, temporary, cache, sealedBytes(Buffer.from(lines.join("\n")), seal));
      unsaved = 0;
    } catch {
      // It is found out again the next time.
    }
  }

  return {
    directory,
    get size() {
      return entries.size + [...unsettled.values()].filter((error) => error !== undefined).length;
    },
    get damaged() {
      return new Map([...unsettled].filter(([, error]) => error !== undefined));
    },
    get entries() {
      return entries.values();
    },
    get hasNotes() {
      return notes.size > 0;
    },
    entry: (run) => entries.get(run),
    has: (run) => entries.has(run) || unsettled.has(run),
    load() {
      const { content, seal } = readCache(disk, cache) ?? {};
      if (content === undefined || seal?.[0] !== VERSION) return undefined;
      const [, inode, changedAt, open, coming, [session, number, id, bytes]] = seal as unknown as Seal;
      for (const line of content.length === 0 ? [] : content.toString().split("\n")) {
        const entry = readEntryLine(line);
        entries.set(entry.id, entry);
      }
      for (const run of open) unsettled.set(run, undefined);
      for (const [run, revision] of coming) awaited.set(run, revision);
      if (session !== disk.session) return undefined;
      seen = { inode, changedAt };
      return { number, id, bytes };
    },
    refresh,
    note(entry) {
      notes.set(entry.id, entry);
    },
    settle,
    doubt() {
      seen = undefined;
    },
    get unsaved() {
      return unsaved;
    },
    save(temporary, place) {
      if (unsaved > 0) keep(temporary, place);
    },
  };
}

/** The place in the log of changes that was read, and the session of the machine. */
type LogStamp = readonly [session: string, number: number, id: string, bytes: number];

type Seal = readonly [
  version: number,
  inode: number,
  changedAt: number,
  unsettled: readonly string[],
  awaited: readonly (readonly [run: string, revision: number])[],
  changes: LogStamp,
];

function readCache(disk: Disk, path: string): ReturnType<typeof openFile> {
  try {
    const bytes = readFile(disk, path);
    return bytes && openFile(bytes);
  } catch {
    return undefined;
  }
}
