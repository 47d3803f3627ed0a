import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Inside the project, where the dependencies are found.
const HOME = fileURLToPath(new URL("../../node_modules/.cache/wavepoint-built/", import.meta.url));

/** Gives a run of the tests a folder for what its files build once and share. Each project calls this; the first one makes the folder. */
export function setup(): (() => void) | undefined {
  if (process.env["WAVEPOINT_BUILDS"] !== undefined) return undefined;
  mkdirSync(HOME, { recursive: true });
  const folder = mkdtempSync(`${HOME}run-`);
  process.env["WAVEPOINT_BUILDS"] = folder;
  return () => {
    delete process.env["WAVEPOINT_BUILDS"];
    // A browser that just ended may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
