import type { Disk } from "../../core/ports/disk.ts";
import { namesIn, pathIn, readSome, writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";

const FILE = /^changes\.(\d{1,9})$/;
const KIND = "wavepoint-changes 1";
/** A longer file is followed by another one, and the one before it goes. */
const FULL_BYTES = 262_144;
const LINE_FEED = 10;

/** Where a reader of the log stands. */
export interface LogPlace {
  /** The number of the file, from 0; -1 if there was none. */
  readonly number: number;
  /** Tells the file from another one with its number. */
  readonly id: string;
  readonly bytes: number;
}

/** The notes after a place. */
export interface NotedChanges {
  /** By run: the revision that it has, or is about to have. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Behind all of them. */
  readonly place: LogPlace;
}

/**
 * Lists the runs whose place in lists changed, so that no list need read all of them. A writer notes a run before it writes the commit. A reader reads each
 * noted run until it has the noted revision. The log is never synced: notes from before a crash of the machine may be lost, so a place is valid only while
 * {@link Disk.session} is the same. All processes append to one file, and continue in the next one when it is full.
 */
export interface ChangeLog {
  note(run: string, revision: number): void;
  /** Returns nothing if the log no longer reaches back to the place: then read every run. */
  since(place: LogPlace): NotedChanges | undefined;
  /** The end of the log. */
  end(): LogPlace;
  close(): void;
}

/** What a {@link ChangeLog} works on. */
export interface ChangeLogOptions {
  readonly disk: Disk;
  readonly directory: string;
  temporary(): string;
}

interface OpenLog {
  readonly file: number;
  readonly number: number;
  readonly inode: number;
}

/** Opens nothing yet. */
export function changeLog({ disk, directory, temporary }: ChangeLogOptions): ChangeLog {
  let writer: OpenLog | undefined;
  /** The newest file as it was when it was read last. */
  let read: { readonly place: LogPlace; readonly inode: number } | undefined;

  function pathOf(number: number): string {
    return pathIn(directory, `changes.${number}`);
  }

  function newest(): number {
    return Math.max(-1, ...namesIn(disk, directory).map((name) => Number(FILE.exec(name)?.[1] ?? -1)));
  }

  /** Begins a file, unless another process does. */
  function begin(number: number): void {
    const made = temporary();
    try {
      disk.makeDirectory(directory);
      const file = disk.open(made, "create");
      try {
        writeAll(disk, file, Buffer.from(`${KIND} ${Math.random().toString(36).slice(2)}\n`), 0);
      } finally {
        disk.close(file);
      }
      disk.link(made, pathOf(number));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    } finally {
      disk.remove(made);
    }
  }

  function openWriter(): OpenLog {
    for (;;) {
      const number = newest();
      if (number < 0) {
        begin(0);
        continue;
      }
      try {
        const file = disk.open(pathOf(number), "append");
        return { file, number, inode: disk.facts(file)!.inode };
      } catch (error) {
        if (errorCode(error) !== "ENOENT") throw error;
      }
    }
  }

  function closeWriter(): void {
    if (writer !== undefined) disk.close(writer.file);
    writer = undefined;
  }

  function note(run: string, revision: number): void {
    // Between two line feeds: half a line of a process that died spoils no other line.
    const bytes = Buffer.from(`\n${run} ${revision}\n`);
    for (;;) {
      writer ??= openWriter();
      const { file, number, inode } = writer;
      if (disk.append(file, bytes) !== bytes.length) throw Object.assign(new Error("the disk took no more bytes"), { code: "ENOSPC" });
      // Look after the write: readers that find the next file read this one once more.
      const facts = disk.facts(pathOf(number));
      if (facts?.inode === inode && disk.facts(pathOf(number + 1)) === undefined) {
        if (facts.sizeBytes > FULL_BYTES) follow(number);
        return;
      }
      closeWriter();
    }
  }

  /** If this fails, the file keeps growing, and the next writer tries again. */
  function follow(number: number): void {
    closeWriter();
    try {
      begin(number + 1);
      disk.remove(pathOf(number - 1));
    } catch {}
  }

  /** Reads the bytes of a file from a place on, and the id in its first line; nothing if the file is missing or another one. */
  function readFrom({
    number,
    id,
    bytes: from,
  }: LogPlace): { readonly bytes: Buffer; readonly id: string; readonly inode: number } | undefined {
    let file: number;
    try {
      file = disk.open(pathOf(number), "read");
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
    try {
      const { inode, sizeBytes } = disk.facts(file)!;
      const head = readSome(disk, file, 0, Math.min(sizeBytes, 64));
      const [first = ""] = head.toString("latin1").split("\n", 1);
      const found = first.slice(KIND.length + 1);
      if (!first.startsWith(KIND) || (id !== "" && id !== found) || sizeBytes < from) return undefined;
      return { bytes: readSome(disk, file, from, sizeBytes - from), id: found, inode };
    } finally {
      disk.close(file);
    }
  }

  function isUnchanged({ number, bytes }: LogPlace): boolean {
    if (number < 0) return newest() < 0;
    const facts = disk.facts(pathOf(number));
    return facts?.inode === read?.inode && facts?.sizeBytes === bytes && disk.facts(pathOf(number + 1)) === undefined;
  }

  function since(place: LogPlace): NotedChanges | undefined {
    const revisions = new Map<string, number>();
    if ((place.number < 0 || place === read?.place) && isUnchanged(place)) return { revisions, place };
    let at: LogPlace = place.number < 0 ? { number: 0, id: "", bytes: 0 } : place;
    for (;;) {
      // Look for the next file first: notes from before it was begun are in this one.
      const isLast = disk.facts(pathOf(at.number + 1)) === undefined;
      const found = readFrom(at);
      if (found === undefined) return undefined;
      const end = found.bytes.lastIndexOf(LINE_FEED) + 1;
      collect(found.bytes.toString("latin1", 0, end), revisions);
      at = { number: at.number, id: found.id, bytes: at.bytes + end };
      if (isLast) {
        read = { place: at, inode: found.inode };
        return { revisions, place: at };
      }
      at = { number: at.number + 1, id: "", bytes: 0 };
    }
  }

  return {
    note,
    since,
    end() {
      const number = newest();
      return number < 0 ? { number, id: "", bytes: 0 } : (since({ number, id: "", bytes: 0 })?.place ?? { number: -1, id: "", bytes: 0 });
    },
    close: closeWriter,
  };
}

function collect(lines: string, revisions: Map<string, number>): void {
  for (const line of lines.split("\n")) {
    const [run = "", revision, ...more] = line.split(" ");
    // Skips the first line, and one that was not finished.
    if (more.length > 0 || !/^[1-9]\d*$/.test(revision ?? "")) continue;
    revisions.set(run, Math.max(revisions.get(run) ?? 0, Number(revision)));
  }
}
