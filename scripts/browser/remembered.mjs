// @ts-check
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExecutable } from "./executable.mjs";

/** Home of what the browser script keeps between runs; `npm ci` empties it. */
export const CACHE_FOLDER = fileURLToPath(new URL("../../node_modules/.cache/wavepoint-browser/", import.meta.url));

const MEMORY = join(CACHE_FOLDER, "chromium.json");

/**
 * The browser that was proven before, as long as its file has not changed since.
 * @returns {string | undefined}
 */
export function recall() {
  try {
    const { path, modifiedAt } = JSON.parse(readFileSync(MEMORY, "utf8"));
    return isExecutable(path) && statSync(path).mtimeMs === modifiedAt ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a proven browser for the next run. A folder that cannot be written only costs the next run a second proof.
 * @param {string} path
 */
export function remember(path) {
  try {
    mkdirSync(dirname(MEMORY), { recursive: true });
    writeFileSync(MEMORY, JSON.stringify({ path, modifiedAt: statSync(path).mtimeMs }));
  } catch {}
}
