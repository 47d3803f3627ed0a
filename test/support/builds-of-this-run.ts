import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// Inside the project, where the dependencies are found.
const HOME = fileURLToPath(new URL("../../node_modules/.cache/wavepoint-built/", import.meta.url));

/** The name of a folder for temporary files, before the id of the process that made it. */
const TEMPORARY = "wavepoint-tests-";
const IN_MEMORY = "/dev/shm";
/** What the tests of a run may need at a time: databases, journals, profiles of browsers. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Gives a run of the tests two folders: one for what its files build once and share, and one for all that they write into the folder for temporary
 * files. Each project calls this; the first one makes the folders.
 */
export function setup(): (() => void) | undefined {
  if (process.env["WAVEPOINT_BUILDS"] !== undefined) return undefined;
  mkdirSync(HOME, { recursive: true });
  const builds = mkdtempSync(`${HOME}run-`);
  const before = process.env["TMPDIR"];
  const home = homeOfTemporary();
  removeLeft(home);
  const temporary = mkdtempSync(join(home, `${TEMPORARY}${process.pid}-`));
  // Servers of databases run as another user.
  chmodSync(temporary, 0o755);
  Object.assign(process.env, { WAVEPOINT_BUILDS: builds, TMPDIR: temporary });
  return () => {
    delete process.env["WAVEPOINT_BUILDS"];
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    // A browser that just ended may still write.
    for (const folder of [builds, temporary]) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

/** Removes the folders of runs that were killed: in memory they take room from everything else. */
function removeLeft(home: string): void {
  for (const name of readdirSync(home)) {
    const [, pid] = new RegExp(`^${TEMPORARY}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(home, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * In memory where there is room: no test sees whether a sync reached a real disk, and each takes milliseconds there. What syncs are for is tried on a disk
 * that the tests make, and the long tier uses the real one.
 */
function homeOfTemporary(): string {
  if (process.env["WAVEPOINT_LONG"] !== undefined) return tmpdir();
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    // Only Linux has it.
    return tmpdir();
  }
}
