import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../../core/ports/disk.ts";
import { readFile, writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";
import { fileName } from "./names.ts";

/** This process, as a lock names it. It stays who it is. */
let self: string | undefined;

const HOLDER = /^[1-9]\d*( \d+)?$/;

/**
 * Tries to hold a run by a lock file that names this process, and gives whether it does. A lock whose process is gone is taken over. This
 * spares double work only: what keeps two writers apart is the journal.
 */
export function takeClaim(disk: Disk, directory: string, run: string, temporary: () => string): boolean {
  const path = join(directory, fileName(run));
  const mine = temporary();
  try {
    writeText(disk, mine, (self ??= owner(process.pid)));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        disk.link(mine, path);
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
  } finally {
    disk.remove(mine);
  }
}

/** Releases a run that {@link takeClaim} held. */
export function dropClaim(disk: Disk, directory: string, run: string): void {
  disk.remove(join(directory, fileName(run)));
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
