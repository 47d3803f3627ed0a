import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isWorkflowError } from "../../core/model/errors.ts";
import { errorCode } from "./failure.ts";

/** How often changing files are looked at again before what they show is believed. */
const LOOKS = 20;

/**
 * Looks at the files of a directory. Another process may write, cut or delete them meanwhile, and then several files read one after another
 * do not fit together: damage counts only if nothing changed while it was found, else the look is repeated.
 */
export function lookSteadily<T>(directory: string, look: () => T): T {
  let before: string | undefined;
  for (let looks = 1; ; looks += 1) {
    try {
      return look();
    } catch (error) {
      const mayPass = errorCode(error) === "ENOENT" || (isWorkflowError(error) && error.code === "STORE_DATA_CORRUPT");
      if (!mayPass || looks === LOOKS) throw error;
      const now = appearance(directory);
      if (now === before) throw error;
      before = now;
    }
  }
}

/** What tells whether files were changed. */
function appearance(directory: string): string {
  try {
    return ["", ...readdirSync(directory).toSorted()]
      .map((name) => {
        const { ino, size, mtimeMs, ctimeMs } = statSync(join(directory, name));
        return [name, ino, ...(name === "" ? [] : [size, mtimeMs, ctimeMs])].join(" ");
      })
      .join("\n");
  } catch {
    return "";
  }
}
