import { sep } from "node:path";
import type { Disk } from "../../core/ports/disk.ts";
import { errorCode } from "./failure.ts";

/** Returns the path of a name in a directory. Ten times as fast as `join`, which matters when a list reads every run. */
export function pathIn(directory: string, name: string): string {
  return directory + sep + name;
}

/** Writes all bytes, however many calls it takes. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    const count = disk.write(file, bytes, written, position + written);
    if (count <= 0) throw new Error("the disk took no more bytes");
    written += count;
  }
}

/** Reads at most `length` bytes of an open file from a position on; fewer if the file is shorter. */
export function readSome(disk: Disk, file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  let filled = 0;
  while (filled < bytes.length) {
    const count = disk.read(file, bytes, filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Reads a whole file; nothing if there is none. */
export function readFile(disk: Disk, path: string): Buffer | undefined {
  let file: number;
  try {
    file = disk.open(path, "read");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return readSome(disk, file, 0, disk.facts(file)!.sizeBytes);
  } finally {
    disk.close(file);
  }
}

/** Returns the names in a directory; none if it does not exist. */
export function namesIn(disk: Disk, directory: string): readonly string[] {
  try {
    return disk.list(directory);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Waits for all of them, even after a failure: a sync that is still running would use a closed file. */
export async function allSynced(syncs: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(syncs);
  await Promise.all(syncs);
}

/** Replaces a whole file without a sync, for data that may be lost in a power cut: readers see the old file or the new one. */
export function replaceSoon(disk: Disk, temporary: string, path: string, bytes: Uint8Array): void {
  try {
    const file = disk.open(temporary, "create");
    try {
      writeAll(disk, file, bytes, 0);
    } finally {
      disk.close(file);
    }
    disk.rename(temporary, path);
  } catch (error) {
    disk.remove(temporary);
    throw error;
  }
}
