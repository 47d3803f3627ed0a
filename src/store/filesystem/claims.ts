import { readFileSync } from "node:fs";
import type { Disk } from "../../core/ports/disk.ts";
import { pathIn, readFile, writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";
import { fileName } from "./names.ts";

/** This process, as a lock names it. It stays who it is. */
let self: string | undefined;

const HOLDER = /^[1-9]\d*( \d+)?$/;

/** The runs that one store holds, each by a lock file. This spares double work only: what keeps two writers apart is the journal. */
export interface RunClaims {
  /** Tries to hold a run, and gives whether it does. A lock whose process is gone is taken over. */
  take(run: string): boolean;
  /** Releases a run; nothing happens where it is not held. */
  drop(run: string): void;
  /** Releases all of them. */
  close(): void;
}

/** What {@link RunClaims} work on. */
export interface RunClaimsOptions {
  readonly disk: Disk;
  readonly directory: string;
  temporary(): string;
}

/** Makes nothing yet. All locks of a store are names of one file that names this process, so that taking one is a single step. */
export function runClaims({ disk, directory, temporary }: RunClaimsOptions): RunClaims {
  const held = new Set<string>();
  let file: string | undefined;

  function pathOf(run: string): string {
    return pathIn(directory, fileName(run));
  }

  function makeFile(): string {
    const path = temporary();
    try {
      writeText(disk, path, (self ??= owner(process.pid)));
    } catch (error) {
      disk.remove(path);
      throw error;
    }
    return (file = path);
  }

  function linkTo(path: string): void {
    try {
      disk.link(file ?? makeFile(), path);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      // Temporary files were removed meanwhile.
      disk.link(makeFile(), path);
    }
  }

  function isTaken(path: string): boolean {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        linkTo(path);
        return true;
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
      const holder = readText(disk, path);
      if (holder === undefined) continue;
      if (isAlive(holder)) return false;
      removeStale(disk, path, holder, temporary());
    }
    return false;
  }

  function drop(run: string): void {
    if (held.delete(run)) disk.remove(pathOf(run));
  }

  return {
    take(run) {
      const taken = isTaken(pathOf(run));
      if (taken) held.add(run);
      return taken;
    },
    drop,
    close() {
      for (const run of held) drop(run);
      if (file !== undefined) disk.remove(file);
    },
  };
}

/** Moves a lock away; puts it back where another process had replaced it meanwhile. */
function removeStale(disk: Disk, path: string, holder: string, aside: string): void {
  try {
    disk.rename(path, aside);
    if (readText(disk, aside) !== holder) disk.link(aside, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") throw error;
  } finally {
    disk.remove(aside);
  }
}

/** Whether the process that a lock or a temporary file names is still there. */
export function isAlive(holder: string): boolean {
  // A power cut may leave a lock whose text was never written.
  if (!HOLDER.test(holder)) return false;
  const pid = Number(holder.split(" ")[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
  }
  // A zombie: a dead process keeps its number until its parent waits for it.
  if (readStatus(pid)?.[0] === "Z") return false;
  const now = owner(pid);
  return now === `${pid}` || !holder.includes(" ") || now === holder;
}

/** A process by its number and, where the system tells (Linux), the moment it started, since numbers come back. */
function owner(pid: number): string {
  const startedAt = readStatus(pid)?.[19];
  return startedAt === undefined ? `${pid}` : `${pid} ${startedAt}`;
}

/** The state of a process and the numbers behind it, where the system tells (Linux). */
function readStatus(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined;
  }
}

function readText(disk: Disk, path: string): string | undefined {
  try {
    return readFile(disk, path)?.toString();
  } catch {
    return undefined;
  }
}

function writeText(disk: Disk, path: string, text: string): void {
  const file = disk.open(path, "create");
  try {
    writeAll(disk, file, Buffer.from(text), 0);
  } finally {
    disk.close(file);
  }
}
