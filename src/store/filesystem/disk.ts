import { close, closeSync, fdatasync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** The file operations that decide whether data is safe, so that tests can make them fail. */
export interface Disk {
  /** Writes at a position and gives how many bytes were written, which may be fewer. */
  write(file: number, bytes: Uint8Array, offset: number, position: number): number;
  /** Resolves once all bytes of the file are on the disk. */
  sync(file: number): Promise<void>;
  /** Makes new names in a directory last. */
  syncDirectory(path: string): Promise<void>;
}

/** The disk of this machine. */
export const realDisk: Disk = {
  write: (file, bytes, offset, position) => writeSync(file, bytes, offset, bytes.length - offset, position),
  sync: (file) => new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
  async syncDirectory(path) {
    // Windows cannot open a directory; its names last by themselves.
    if (process.platform === "win32") return;
    const directory = openSync(path, "r");
    try {
      fsyncSync(directory);
    } finally {
      close(directory);
    }
  },
};

/** Writes all bytes, however many calls it takes. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    const count = disk.write(file, bytes, written, position + written);
    if (count <= 0) throw new Error("the disk took no more bytes");
    written += count;
  }
}

/** Puts a whole file in place: other readers see the old one or the new one, also after a power cut. */
export async function replaceFile(disk: Disk, temporary: string, path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(temporary, "w");
  try {
    writeAll(disk, file, bytes, 0);
    await disk.sync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  await disk.syncDirectory(dirname(path));
}
