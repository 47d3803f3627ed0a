import { WorkflowError } from "../../core/model/errors.ts";
import { type FilePath, parseFilePath, showPath } from "../../core/model/file-path.ts";
import { MAX_FILE_BYTES } from "../../core/model/limits.ts";
import type { Files } from "../../core/ports/files.ts";
import { fileFailure, nameOf } from "./failure.ts";
import { assertOptions } from "../../core/model/assert-options.ts";

/** Which files of the browser workflows may touch. */
export interface OpfsFilesOptions {
  /** The folder below which all files lie, made when it is first needed. Default: the root of the origin's private file system. */
  readonly folder?: string;
}

/**
 * Files of this site in the browser (the origin private file system), to grant to an executor; in a page and in a worker, shared by all tabs.
 * There are no absolute paths, no permissions and no folders for single steps. Throws `CAPABILITY_MISSING` where the browser has no such
 * file system: it needs a secure context.
 */
export function opfsFiles(options: OpfsFilesOptions = {}): Files {
  assertOptions("opfsFiles", options, { folder: true });
  const { folder } = options;
  if (typeof navigator === "undefined" || typeof navigator.storage?.getDirectory !== "function") {
    throw new WorkflowError(
      "CAPABILITY_MISSING",
      "There is no origin private file system here. It exists in browsers, for pages that came over HTTPS or from localhost.",
    );
  }
  const base = folder === undefined ? [] : parseFilePath(folder).parts;

  async function inFolder<T>(
    file: FilePath,
    make: boolean,
    work: (folder: FileSystemDirectoryHandle, name: string) => Promise<T>,
  ): Promise<T> {
    try {
      let inner = await navigator.storage.getDirectory();
      for (const name of base) inner = await inner.getDirectoryHandle(name, { create: true });
      for (const name of file.parts.slice(0, -1)) inner = await inner.getDirectoryHandle(name, { create: make });
      return await work(inner, file.parts.at(-1)!);
    } catch (thrown) {
      throw fileFailure(thrown, file.text);
    }
  }

  return {
    async read(path, { maxBytes = MAX_FILE_BYTES } = {}) {
      const file = parseFilePath(path);
      const limit = Math.min(maxBytes, MAX_FILE_BYTES);
      const bytes = await inFolder(file, false, async (inner, name) => {
        const content = await (await inner.getFileHandle(name)).getFile();
        if (content.size > limit) throw tooLarge(file.text, "has", limit);
        return new Uint8Array(await content.arrayBuffer());
      });
      return { path: file.text, bytes };
    },
    async write(path, bytes, { overwrite = false, makeFolders = true } = {}) {
      const file = parseFilePath(path, { writing: true });
      if (bytes.length > MAX_FILE_BYTES) throw tooLarge(file.text, "would have", MAX_FILE_BYTES);
      const created = await inFolder(file, makeFolders, (inner, name) =>
        // Two tabs that write the same file take turns: the platform has no way to make a file only if there is none.
        navigator.locks.request(`wavepoint:files:${[...base, ...file.parts].join("/")}`, async () => {
          const old = await lookUp(inner, name);
          if (old === undefined) await placeNewFile(inner, name, bytes);
          else if (overwrite) await fillFile(old, bytes);
          else throw new WorkflowError("FILE_EXISTS", `${showPath(file.text)} is there already. Set overwrite: true to replace it.`);
          return old === undefined;
        }),
      );
      return { path: file.text, sizeBytes: bytes.length, created };
    },
  };
}

async function lookUp(folder: FileSystemDirectoryHandle, name: string): Promise<FileSystemFileHandle | undefined> {
  try {
    return await folder.getFileHandle(name);
  } catch (thrown) {
    if (nameOf(thrown) === "NotFoundError") return undefined;
    throw thrown;
  }
}

function tooLarge(path: string, has: string, limit: number): WorkflowError {
  return new WorkflowError("FILE_REFUSED", `${showPath(path)} ${has} more than ${limit} bytes. Use a smaller file.`, {
    details: { limit },
  });
}

/** `move` is in all browsers that have `createWritable`, and not yet in the compiler's declarations. */
interface MovableFile extends FileSystemFileHandle {
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

/** Replaces the content of a file: others see the old one until all of the new one is there. */
async function fillFile(file: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const stream = await file.createWritable();
  try {
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
  } catch (thrown) {
    await stream.abort(thrown);
    throw thrown;
  }
  await stream.close();
}

/** Makes a file that has all of its content from the first moment on: an empty one would be there if the tab were closed in between. */
async function placeNewFile(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = `.wavepoint-${crypto.randomUUID()}.tmp`;
  const file = (await folder.getFileHandle(temporary, { create: true })) as MovableFile;
  try {
    await fillFile(file, bytes);
    await file.move(folder, name);
  } catch (thrown) {
    await folder.removeEntry(temporary);
    throw thrown;
  }
}
