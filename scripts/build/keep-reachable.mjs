// @ts-check
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, posix } from "node:path";

const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/**
 * Deletes the declarations that no public entry leads to.
 * @param {string} folder
 * @param {readonly string[]} entries Paths in the folder.
 */
export function keepReachable(folder, entries) {
  const kept = new Set(entries);
  // A set may grow while it is walked: what is added is visited too.
  for (const path of kept) {
    for (const [, target = ""] of readFileSync(join(folder, path), "utf8").matchAll(IMPORT)) {
      kept.add(posix.join(posix.dirname(path), target).replace(/(?:\.d)?\.[jt]s$/, ".d.ts"));
    }
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = posix.relative(folder, join(entry.parentPath, entry.name));
    const isEmpty = entry.isDirectory() && ![...kept].some((file) => file.startsWith(`${path}/`));
    if (isEmpty || (entry.isFile() && !kept.has(path))) rmSync(join(folder, path), { recursive: true, force: true });
  }
}
