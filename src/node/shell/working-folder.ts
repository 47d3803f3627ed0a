import { constants } from "node:fs";
import { open, readlink, realpath, stat, type FileHandle } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { parseFolder, showPath } from "../../core/model/file-path.ts";
import { WorkflowError } from "../../core/model/errors.ts";

/** A folder that a command starts in. */
export interface WorkingFolder {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Finds a folder below the root, by a relative path or an absolute one. Links may lead anywhere below the root. A path outside of the root is not looked up:
 * the error is the same whether or not it exists. On Linux with `/proc` the folder is held open, so the command starts in it even if another folder takes its
 * place. Throws `PATH_FORBIDDEN`, `FILE_MISSING`, `FILE_REFUSED`.
 */
export async function openWorkingFolder(root: string, path: string): Promise<WorkingFolder> {
  const wanted = resolve(root, parseFolder(path));
  try {
    const realRoot = await realpath(root);
    if (!isBelow(wanted, root) && !isBelow(wanted, realRoot)) throw outside(path);
    const held = process.platform === "linux" ? await holdFolder(wanted, { realRoot, path }) : undefined;
    if (held !== undefined) return held;
    const real = await realpath(wanted);
    if (!isBelow(real, realRoot)) throw outside(path);
    if (!(await stat(real)).isDirectory()) throw refused(path);
    return { path: real, close: async () => {} };
  } catch (thrown) {
    throw asFailure(thrown, path);
  }
}

/** Nothing if `/proc` is not there, as in some containers. */
async function holdFolder(
  wanted: string,
  { realRoot, path }: { readonly realRoot: string; readonly path: string },
): Promise<WorkingFolder | undefined> {
  const handle: FileHandle = await open(wanted, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    const real = await readlink(held).catch(() => undefined);
    if (real === undefined) {
      await handle.close();
      return undefined;
    }
    if (!isBelow(real, realRoot)) throw outside(path);
    return { path: held, close: () => handle.close() };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(path: string): WorkflowError {
  return new WorkflowError(
    "PATH_FORBIDDEN",
    `The folder ${showPath(path)} lies outside of the root that the host grants. Use a folder below the root.`,
  );
}

function refused(path: string, cause?: unknown): WorkflowError {
  return new WorkflowError("FILE_REFUSED", `${showPath(path)} is no folder, so no command can start in it. Name a folder.`, { cause });
}

function asFailure(thrown: unknown, path: string): unknown {
  const code = (thrown as NodeJS.ErrnoException).code;
  if (code === "ENOENT") {
    return new WorkflowError("FILE_MISSING", `The folder ${showPath(path)} does not exist. Make it first, or correct "working_dir".`, {
      cause: thrown,
    });
  }
  return code === "ENOTDIR" ? refused(path, thrown) : thrown;
}
