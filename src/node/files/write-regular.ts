import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { link, lstat, open, rename, unlink } from "node:fs/promises";
import { codeOf, fileExists, refusedKind } from "./failure.ts";
import type { Folder } from "./folder.ts";

const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** What a new file may be asked for; the process's mask takes away from it. */
const DEFAULT_MODE = 0o644;
const PERMISSION_BITS = 0o777;

export interface RegularWrite {
  /** For messages. */
  readonly path: string;
  readonly overwrite: boolean;
  /** Set exactly. Default: those of the file that is replaced. */
  readonly mode: number | undefined;
}

/**
 * Puts a whole file in place, on the disk before its name is there, and gives whether the name is new. Of several writers without
 * `overwrite` one wins; the others throw `FILE_EXISTS`.
 */
export async function writeRegular(folder: Folder, name: string, bytes: Uint8Array, write: RegularWrite): Promise<boolean> {
  const old = await lookUp(folder.at(name));
  if (old !== undefined && !old.isFile()) throw refusedKind(write.path, "is a link or no regular file");
  if (old !== undefined && !write.overwrite) throw fileExists(write.path);
  const temporary = `.wavepoint-${randomBytes(8).toString("hex")}.tmp`;
  try {
    await fill(folder, temporary, bytes, { path: write.path, mode: write.mode ?? (old && old.mode & PERMISSION_BITS) });
    if (write.overwrite) await rename(folder.at(temporary), folder.at(name));
    // A rename would replace a file that was made in between; a link does not.
    else await link(folder.at(temporary), folder.at(name));
  } finally {
    await remove(folder.at(temporary));
  }
  await folder.sync();
  return old === undefined;
}

async function fill(
  folder: Folder,
  temporary: string,
  bytes: Uint8Array,
  { path, mode }: { readonly path: string; readonly mode: number | undefined },
): Promise<void> {
  const file = await open(folder.at(temporary), WRITE_FLAGS, mode ?? DEFAULT_MODE);
  try {
    if (!(await folder.holds(temporary, file))) throw refusedKind(path, "stands in a folder that is changed meanwhile");
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function lookUp(address: string): Promise<Stats | undefined> {
  try {
    return await lstat(address);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

/** Removes the temporary file, if it still has its own name. A failure changes nothing about the outcome. */
async function remove(address: string): Promise<void> {
  await unlink(address).catch(() => undefined);
}
