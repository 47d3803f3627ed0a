// @ts-check
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROBE_TIMEOUT_MS = 60_000;

/**
 * Starts the browser for real and opens a page. A path that merely exists proves little: a snap stub or a download without
 * its shared libraries exists as well. It happens in a child process, so that a browser that hangs is ended with it.
 * @param {string} path
 * @returns {string | undefined} why the browser is of no use, or undefined when it works
 */
export function probe(path) {
  const script = fileURLToPath(new URL("probe-page.mjs", import.meta.url));
  const run = spawnSync(process.execPath, [script, path], { encoding: "utf8", timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL" });
  if (run.status === 0) return undefined;
  if (run.error !== undefined) return run.error.message;
  const lines = run.stderr.split("\n").map((line) => line.trim());
  return lines.find((line) => /error/i.test(line))?.slice(0, 200) ?? `exit status ${run.status}`;
}
