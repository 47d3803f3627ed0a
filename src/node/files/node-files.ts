import { realpath } from "node:fs/promises";
import { resolve, parse as parsePlatformPath } from "node:path";
import { WorkflowError } from "../../core/model/errors.ts";
import { type FilePath, parseFilePath, showPath } from "../../core/model/file-path.ts";
import { MAX_FILE_BYTES } from "../../core/model/limits.ts";
import type { Files } from "../../core/ports/files.ts";
import { fileFailure } from "./failure.ts";
import { type Folder, type FolderOptions, openBelow, openRoot } from "./folder.ts";
import { readRegular } from "./read-regular.ts";
import { reservedFolders } from "./reserved-folders.ts";
import { makeScratchFolder } from "./scratch-folder.ts";
import { writeRegular } from "./write-regular.ts";
import { assertOptions } from "../../core/model/assert-options.ts";

/** Which files of the disk workflows may touch. */
export interface NodeFilesOptions {
  /** The folder below which all files lie. Relative to the current directory at the time of the call. It must exist when it is used. */
  readonly root: string;
  /** Whether blocks that say `unsafe: true` may name absolute paths. Links, devices and large files stay refused. Default: false. */
  readonly unsafe?: boolean;
  /** Folders that workflows neither read nor write, relative to `root`: the one a store keeps runs in, for example. Default: none. */
  readonly reserved?: readonly string[];
}

/**
 * Files of this machine below one root, to grant to an executor. Follows no link, not even one that appears during an operation: on Linux every step goes
 * through open folders, elsewhere each folder is compared before and after. Hard links count as ordinary files.
 */
export function nodeFiles(options: NodeFilesOptions): Files {
  assertOptions("nodeFiles", options, { root: true, unsafe: true, reserved: true });
  return filesBelow(options, {});
}

/** What {@link nodeFiles} does, with the platform's abilities as a choice. */
export function filesBelow({ root, unsafe = false, reserved = [] }: NodeFilesOptions, platform: FolderOptions): Files {
  const base = resolve(root);
  const refuseReserved = reservedFolders(reserved.map((path) => resolve(base, path)));

  /** An absolute path below the root is one relative to it. */
  async function parse(path: string, options: { readonly absolute: boolean; readonly writing?: boolean }): Promise<FilePath> {
    const roots = path.startsWith("/") ? [base, await realpath(base).catch(() => base)] : [];
    const above = roots.find((root) => path.startsWith(`${root}/`));
    return parseFilePath(above === undefined ? path : path.slice(above.length + 1), options);
  }

  async function inFolder<T>(file: FilePath, make: boolean, work: (folder: Folder, name: string) => Promise<T>): Promise<T> {
    const start = file.isAbsolute ? parsePlatformPath(base).root : base;
    const guard = await refuseReserved(resolve(start, ...file.parts), file.text);
    const first = await openStart(start, platform);
    try {
      const folder = await openBelow(first, file.parts.slice(0, -1), { make, guard });
      try {
        return await work(folder, file.parts.at(-1)!);
      } finally {
        await folder.close();
      }
    } catch (thrown) {
      throw fileFailure(thrown, file.text);
    }
  }

  return {
    async read(path, { maxBytes = MAX_FILE_BYTES, unsafe: absolute = false } = {}) {
      const file = await parse(path, { absolute: absolute && unsafe });
      const limit = Math.min(maxBytes, MAX_FILE_BYTES);
      const bytes = await inFolder(file, false, (folder, name) => readRegular(folder, name, { path: file.text, maxBytes: limit }));
      return { path: file.text, bytes };
    },
    async write(path, bytes, { overwrite = false, mode, makeFolders = true, unsafe: absolute = false } = {}) {
      const file = await parse(path, { absolute: absolute && unsafe, writing: true });
      assertWritable(file.text, bytes, mode);
      const created = await inFolder(file, makeFolders, (folder, name) =>
        writeRegular(folder, name, bytes, { path: file.text, overwrite, mode }),
      );
      return { path: file.text, sizeBytes: bytes.length, created };
    },
    scratch: () => makeScratchFolder(platform),
  };
}

async function openStart(path: string, platform: FolderOptions): Promise<Folder> {
  try {
    return await openRoot(path, platform);
  } catch (cause) {
    throw new WorkflowError("FILE_FAILED", `The root ${showPath(path)} that the host grants cannot be opened. Make the folder.`, { cause });
  }
}

function assertWritable(path: string, bytes: Uint8Array, mode: number | undefined): void {
  if (bytes.length > MAX_FILE_BYTES) {
    throw new WorkflowError("FILE_REFUSED", `${showPath(path)} would have more than ${MAX_FILE_BYTES} bytes. Write less at once.`, {
      details: { limit: MAX_FILE_BYTES },
    });
  }
  if (mode !== undefined && !(Number.isInteger(mode) && mode >= 0 && mode <= 0o777)) {
    throw new WorkflowError("BLOCK_INPUT_INVALID", `The permissions of ${showPath(path)} must lie between 0 and 0o777. Correct them.`);
  }
}
