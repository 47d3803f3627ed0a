import { join } from "node:path";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { Disk, FileFacts } from "../../core/ports/disk.ts";
import { errorCode } from "./failure.ts";

/** How often changing files are looked at again before what they show is believed. */
const LOOKS = 20;

/** Where changes follow each other faster, the time of a directory may stay the same: so long after one it tells of the next (milliseconds). */
const TICK_MS = 20;
/** The same for file systems that count in whole seconds. */
const COARSE_TICK_MS = 2_000;

/** A directory as it was: it has another time once a name in it is made, removed or replaced. */
export type Names = Pick<FileFacts, "inode" | "changedAt">;

/** Returns a stamp that shows whether names of a directory change from now on; nothing if its last change is too recent for that. */
export function settledNames({ inode, changedAt }: FileFacts): Names | undefined {
  const tick = changedAt % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return Date.now() - changedAt > tick ? { inode, changedAt } : undefined;
}

/** Whether the names of a directory are the same as at an earlier look. */
export function hasSameNames(now: Names | undefined, before: Names | undefined): boolean {
  return before !== undefined && now?.inode === before.inode && now.changedAt === before.changedAt;
}

/**
 * Reads files of a directory consistently. Another process may write, cut or delete them in between, and then files that are read one after another do not
 * match. Damage counts only if nothing changed during the read, else the read is repeated.
 */
export function lookSteadily<T>(disk: Disk, directory: string, look: () => T): T {
  let before: string | undefined;
  for (let looks = 1; ; looks += 1) {
    try {
      return look();
    } catch (error) {
      const mayPass = errorCode(error) === "ENOENT" || (isWorkflowError(error) && error.code === "STORE_DATA_CORRUPT");
      if (!mayPass || looks === LOOKS) throw error;
      const now = appearance(disk, directory);
      if (now === before) throw error;
      before = now;
    }
  }
}

/** What tells whether files were changed. */
function appearance(disk: Disk, directory: string): string {
  try {
    return ["", ...disk.list(directory).toSorted()]
      .map((name) => {
        const { inode, sizeBytes, changedAt } = disk.facts(join(directory, name))!;
        return [name, inode, ...(name === "" ? [] : [sizeBytes, changedAt])].join(" ");
      })
      .join("\n");
  } catch {
    return "";
  }
}
