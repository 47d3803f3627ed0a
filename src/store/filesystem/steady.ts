import { join } from "node:path";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { errorCode } from "./failure.ts";

/** How often changing files are looked at again before what they show is believed. */
const LOOKS = 20;

/**
 * Looks at the files of a directory. Another process may write, cut or delete them meanwhile, and then several files read one after another
 * do not fit together: damage counts only if nothing changed while it was found, else the look is repeated.
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
