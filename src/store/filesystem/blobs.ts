import { join } from "node:path";
import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";
import type { Disk } from "../../core/ports/disk.ts";
import type { BlobContent } from "../../core/ports/store.ts";
import { readFile, writeAll } from "./disk.ts";
import { errorCode } from "./failure.ts";
import { lineText, onlyLine, openFile, sealedBytes, sealedLines } from "./line.ts";
import { fileName, keyOfFile } from "./names.ts";

/** Behind the hash in the seal of a blob that is bytes; texts have none. */
const BYTES = 1;

/** A blob on its way into a directory. */
export interface NewBlob {
  readonly hash: string;
  readonly content: BlobContent;
  readonly temporary: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Writes a text, or bytes, to a separate file. A file that exists and is whole is only marked as used now. */
export async function writeBlob(disk: Disk, directory: string, blob: NewBlob): Promise<void> {
  if (!refresh(disk, directory, blob)) await createBlob(disk, directory, blob);
  // Needed for an existing file too: the process that made it may have died before its name was on the disk.
  await disk.syncDirectory(directory);
}

async function createBlob(disk: Disk, directory: string, { hash, content, temporary, now }: NewBlob): Promise<void> {
  const bytes = typeof content === "string" ? sealedLines([onlyLine(content)], [hash]) : sealedBytes(content, [hash, BYTES]);
  try {
    const file = disk.open(temporary, "create");
    try {
      writeAll(disk, file, bytes, 0);
      await disk.sync(file);
    } finally {
      disk.close(file);
    }
    disk.touch(temporary, now);
    disk.rename(temporary, join(directory, fileName(hash)));
  } catch (error) {
    disk.remove(temporary);
    throw error;
  }
}

/** Marks a blob as kept now, if it is there and whole. It is marked first: a sweep looks at the mark again before it deletes. */
function refresh(disk: Disk, directory: string, { hash, now }: NewBlob): boolean {
  try {
    disk.touch(join(directory, fileName(hash)), now);
    return readBlob(disk, directory, hash) !== undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || (isWorkflowError(error) && error.code === "STORE_DATA_CORRUPT")) return false;
    throw error;
  }
}

/** Reads the content of a hash; nothing if there is none. Throws `STORE_DATA_CORRUPT` if it was damaged. */
export function readBlob(disk: Disk, directory: string, hash: string): BlobContent | undefined {
  const bytes = readFile(disk, join(directory, fileName(hash)));
  if (bytes === undefined) return undefined;
  const { content, seal } = openFile(bytes) ?? {};
  if (content !== undefined && seal?.[0] === hash) {
    return seal[1] === BYTES ? new Uint8Array(content) : lineText(content, 0, content.length);
  }
  throw new WorkflowError("STORE_DATA_CORRUPT", `The blob ${hash} is damaged. Restore its file from a copy.`, { details: { hash } });
}

/** Which blobs a sweep keeps. */
export interface SweepOptions {
  readonly keep: ReadonlySet<string>;
  /** Milliseconds since the epoch: blobs used since then stay. */
  readonly before: number;
  temporary(): string;
}

/** Deletes the blobs that are old and not named. Returns how many. */
export async function sweepBlobs(disk: Disk, directory: string, { keep, before, temporary }: SweepOptions): Promise<number> {
  let swept = 0;
  for (const name of disk.list(directory)) {
    const hash = keyOfFile(name);
    const path = join(directory, name);
    if (hash === undefined || keep.has(hash) || (disk.facts(path)?.modifiedAt ?? before) >= before) continue;
    // Move the file away first: a process that needs it from now on writes it again, and one that needed it just before has marked it.
    const aside = temporary();
    disk.rename(path, aside);
    const isKept = (disk.facts(aside)?.modifiedAt ?? before) >= before;
    if (isKept) putBack(disk, aside, path);
    else swept += 1;
    disk.remove(aside);
    if (isKept) await disk.syncDirectory(directory);
  }
  return swept;
}

function putBack(disk: Disk, aside: string, path: string): void {
  try {
    disk.link(aside, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
