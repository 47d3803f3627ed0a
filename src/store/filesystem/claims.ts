import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./failure.ts";
import { fileName } from "./names.ts";

/**
 * Tries to hold a run by a lock file that names this process, and gives whether it does. A lock whose process is gone is taken over. This
 * spares double work only: what keeps two writers apart is the journal.
 */
export function takeClaim(directory: string, run: string, temporary: () => string): boolean {
  const path = join(directory, fileName(run));
  const mine = temporary();
  writeFileSync(mine, owner(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        linkSync(mine, path);
        return true;
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
      const holder = readText(path);
      if (holder === undefined) continue;
      if (isAlive(holder)) return false;
      removeStale(path, holder, temporary());
    }
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Lets go of a run that {@link takeClaim} held. */
export function dropClaim(directory: string, run: string): void {
  rmSync(join(directory, fileName(run)), { force: true });
}

/** Moves a lock away; puts it back where another process had replaced it meanwhile. */
function removeStale(path: string, holder: string, aside: string): void {
  try {
    renameSync(path, aside);
    if (readText(aside) !== holder) linkSync(aside, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Whether the process that a lock or a temporary file names is still there. */
export function isAlive(holder: string): boolean {
  const pid = Number(holder.split(" ")[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
  }
  // A dead process whose parent never asked for it keeps its number for ever.
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
  return readText(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
