import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** A folder for the caller alone, with what was built. */
export interface Built {
  /** Its path, ending in a slash. */
  readonly folder: string;
  remove(): void;
}

const LOOK_AGAIN_MS = 50;
const LONGEST_MS = 120_000;

/**
 * Gives a copy of what `build` writes into the folder that it gets. It is built once in a run of all tests, by the first test file that needs it;
 * the others wait for that.
 */
export function buildOnce(name: string, build: (folder: string) => void): Built {
  const home = process.env["WAVEPOINT_BUILDS"];
  if (home === undefined)
    throw new Error("No folder for builds: the project of this test lacks the set-up test/support/builds-of-this-run.ts.");
  const shared = join(home, name);
  if (isFirst(shared)) finish(shared, build);
  const problem = waitFor(`${shared}.result`);
  if (problem !== "") throw new Error(problem);
  const folder = mkdtempSync(join(home, `${name}-copy-`));
  cpSync(shared, folder, { recursive: true });
  return { folder: `${folder}/`, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Of several processes that make the same folder, one succeeds. */
function isFirst(shared: string): boolean {
  try {
    mkdirSync(shared);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Builds, and notes what went wrong; nothing where all is well. */
function finish(shared: string, build: (folder: string) => void): void {
  let problem = "";
  try {
    build(shared);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  writeFileSync(`${shared}.result.part`, problem);
  renameSync(`${shared}.result.part`, `${shared}.result`);
}

function waitFor(file: string): string {
  const until = Date.now() + LONGEST_MS;
  while (!existsSync(file)) {
    if (Date.now() > until) throw new Error(`Another test file began to build ${file.replace(/\.result$/, "")} and did not end.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
  return readFileSync(file, "utf8");
}
