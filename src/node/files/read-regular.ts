import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { WorkflowError } from "../../core/model/errors.ts";
import { showPath } from "../../core/model/file-path.ts";
import { refusedKind } from "./failure.ts";
import type { Folder } from "./folder.ts";

/** Does not wait for the other end of a pipe, and does not follow a link. Windows has neither. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** A file that is replaced while it is opened is opened again, this often. */
const MAX_TRIES = 5;

/** Reads a regular file of a folder. `path` is for messages. Throws `FILE_REFUSED` and what the platform throws. */
export async function readRegular(
  folder: Folder,
  name: string,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<Uint8Array> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Looked at first, because opening a device can already do something.
    if (!(await lstat(folder.at(name))).isFile()) throw refusedKind(path, "is a link or no regular file");
    const file = await open(folder.at(name), READ_FLAGS);
    try {
      if (!(await file.stat()).isFile()) throw refusedKind(path, "is no regular file");
      if (await folder.holds(name, file)) return await readAll(file, path, maxBytes);
    } finally {
      await file.close();
    }
  }
  throw refusedKind(path, "is replaced again and again");
}

/** Counts the bytes that it reads: the size that a file reports is a hint. */
async function readAll(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  if (size > maxBytes) throw tooLarge(path, maxBytes);
  let bytes = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(path, maxBytes);
    if (length === bytes.length) {
      const wider = new Uint8Array(Math.min(2 * length + 1_024, maxBytes + 1));
      wider.set(bytes);
      bytes = wider;
    }
  }
  // A file that the kernel makes while it is read, such as /proc/self/environ, reports that it is empty.
  if (length > 0 && size === 0 && (await file.stat()).size === 0) throw refusedKind(path, "is made up by the system and not stored");
  return bytes.subarray(0, length);
}

function tooLarge(path: string, maxBytes: number): WorkflowError {
  return new WorkflowError("FILE_REFUSED", `${showPath(path)} has more than ${maxBytes} bytes. Read a smaller file, or allow more.`, {
    details: { limit: maxBytes },
  });
}
