import type { Disk } from "../../core/ports/disk.ts";
import { isAlive, nameOfProcess } from "../process-name.ts";
import { pathIn, readFile, writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";
import { fileName } from "./names.ts";

/** The runs that one store holds, each by a lock file. It only avoids double work: the journal itself keeps two writers apart. */
export interface RunClaims {
  /** Tries to hold a run. Returns whether it does. Replaces a lock whose process is gone. */
  take(run: string): boolean;
  /** Releases a run. Does nothing if it is not held. */
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
      writeText(disk, path, nameOfProcess());
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
      // The temporary files have been removed.
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
      // A power cut may leave a lock whose text was never written.
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

/** Removes a lock, but puts it back if another process has replaced it. */
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
