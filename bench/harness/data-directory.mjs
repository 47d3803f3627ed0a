import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Not the system's directory for temporary files: that often lives in memory, where a sync costs nothing.
const ROOT = fileURLToPath(new URL("../.data/", import.meta.url));

/** A new directory on the disk that holds the project. */
export function newDirectory(name) {
  mkdirSync(ROOT, { recursive: true });
  return mkdtempSync(join(ROOT, `${name}-`));
}

/** Removes a directory of {@link newDirectory}; without one, all of them. */
export function removeDirectory(path = ROOT) {
  rmSync(path, { recursive: true, force: true });
}

/** Bytes of all files below a directory. */
export function directoryBytes(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
