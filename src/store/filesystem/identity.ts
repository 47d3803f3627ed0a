import { join } from "node:path";
import { WorkflowError } from "../../core/model/errors.ts";
import type { Disk, FileFacts } from "../../core/ports/disk.ts";
import { readFile, writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";

const NAME = "id";

/** Tells whether the directory that an open store works on is still the one it began with. */
export interface StoreIdentity {
  /** Throws `STORE_RESET` if the directory was removed or replaced. */
  check(): void;
}

/**
 * Each store has an id in a file, written once. Who has seen it notices when it is gone or another one: an empty directory then means that
 * runs were lost, not that there never were any. A store of an earlier form has no id before it is written to; there, all that is noticed is
 * that its runs are gone.
 */
export function storeIdentity(disk: Disk, { root, runs }: { readonly root: string; readonly runs: string }): StoreIdentity {
  const path = join(runs, NAME);
  let known: { readonly id: string; readonly facts: FileFacts } | undefined;
  let wasThere = false;

  function look(): boolean {
    const facts = disk.facts(path);
    if (facts === undefined) {
      const isThere = disk.facts(runs) !== undefined;
      const isLost = known !== undefined || (wasThere && !isThere);
      wasThere ||= isThere;
      return !isLost;
    }
    if (known !== undefined && known.facts.inode === facts.inode && known.facts.changedAt === facts.changedAt) return true;
    // Copied back, or made by this store: what it says decides.
    const id = readFile(disk, path)?.toString() ?? "";
    if (known !== undefined && known.id !== id) return false;
    known = { id, facts };
    return true;
  }

  return {
    check() {
      if (look()) return;
      throw new WorkflowError(
        "STORE_RESET",
        `The directory ${root} was removed or replaced while the store was open: the runs that were kept there are gone from it. Put it back, or open the store again to begin anew.`,
        { details: { directory: root } },
      );
    },
  };
}

/** Whether a store has an id: then the names of its directories last. */
export function isNamed(disk: Disk, { runs }: { readonly runs: string }): boolean {
  return disk.facts(join(runs, NAME)) !== undefined;
}

/** Writes the id of a store, unless it has one. Does not sync the name of the file. */
export async function nameStore(disk: Disk, directories: { readonly runs: string }, temporary: string): Promise<void> {
  if (isNamed(disk, directories)) return;
  const path = join(directories.runs, NAME);
  try {
    const file = disk.open(temporary, "create");
    try {
      writeAll(disk, file, Buffer.from(`${Math.random().toString(36).slice(2)}${Date.now().toString(36)}\n`), 0);
      await disk.sync(file);
    } finally {
      disk.close(file);
    }
    disk.link(temporary, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    disk.remove(temporary);
  }
}
