import { dirname, join } from "node:path";
import type { Disk } from "../../core/ports/disk.ts";
import { isAlive } from "../process-name.ts";
import { namesIn, pathIn } from "./disk.ts";
import { isNamed, nameStore } from "./identity.ts";

/** Where a store keeps what. */
export interface StoreDirectories {
  readonly root: string;
  readonly runs: string;
  readonly blobs: string;
  /** What blocks gave, for other runs. */
  readonly cache: string;
  readonly claims: string;
  /** What lists know of the runs: a cache. */
  readonly index: string;
  /** Files on their way, each named by the process that writes it. */
  readonly temp: string;
}

/** How many files are looked at before others get a turn. */
const FILES_A_TURN = 1000;

/**
 * Makes the directories of a store durably, for their owner alone. Narrows the permissions of existing ones, and warns if that is refused. Leaves the root
 * itself as it is, since it may have another owner. Removes the temporary files of dead processes.
 */
export async function prepareDirectories(
  disk: Disk,
  directories: StoreDirectories,
  { warn, temporary }: { warn(message: string): void; temporary(): string },
): Promise<void> {
  const { root, runs, blobs, cache, claims, index, temp } = directories;
  const outermost = disk.makeDirectory(root) ?? root;
  let isNew = !isNamed(disk, directories);
  for (const directory of [runs, blobs, cache, claims, index, temp]) {
    if (disk.makeDirectory(directory) === undefined) narrow(disk, directory, warn);
    else isNew = true;
  }
  if (isNew) {
    await syncUp(disk, root, dirname(outermost));
    await nameStore(disk, directories, temporary());
    await disk.syncDirectory(runs);
  }
  const names = disk.list(temp);
  const gone = new Set([...new Set(names.map(processOf))].filter((process) => !isAlive(process)));
  for (const name of names) if (gone.has(processOf(name))) disk.remove(join(temp, name));
}

/** Returns the process of a temporary file, whose name begins with it. */
function processOf(name: string): string {
  return name.split(".")[0]!;
}

/**
 * Syncs a directory and all directories above it, even if none of them is new: another process may have made them and died before their names were on the
 * disk. Afterwards the store gets a name; a process that finds the name skips this. Directories above the outermost new one may refuse.
 */
async function syncUp(disk: Disk, directory: string, outermost: string): Promise<void> {
  let isOwn = true;
  for (let path = directory; ; path = dirname(path)) {
    const synced = disk.syncDirectory(path);
    await (isOwn ? synced : synced.catch(() => {}));
    if (path === outermost) isOwn = false;
    if (path === dirname(path)) return;
  }
}

function narrow(disk: Disk, directory: string, warn: (message: string) => void): void {
  try {
    disk.restrict(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`${directory} can be read by others than its owner, and could not be closed to them: ${reason}. Take their permissions away.`);
  }
}

/** The size of all files below a directory. */
export async function storedBytes(disk: Disk, directory: string): Promise<number> {
  let bytes = 0;
  let seen = 0;
  const waiting = [directory];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of namesIn(disk, next)) {
      const path = pathIn(next, name);
      const facts = disk.facts(path);
      if (facts?.isDirectory) waiting.push(path);
      else bytes += facts?.sizeBytes ?? 0;
      seen += 1;
      if (seen % FILES_A_TURN === 0) await new Promise(setImmediate);
    }
  }
  return bytes;
}
