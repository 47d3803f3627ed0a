import { constants } from "node:fs";
import { open, readlink, realpath, stat, type FileHandle } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { parseFolder } from "../../core/blocks/shell/working-dir.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import { showPath } from "../../core/model/file-path.ts";

/** A folder that a command starts in. */
export interface WorkingFolder {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Finds a folder below the root. Links in its path may lead anywhere below the root. On Linux the folder is held open, so that it is this
 * one in which the command starts, whatever takes its place meanwhile. Throws `PATH_FORBIDDEN`, `FILE_MISSING`, `FILE_REFUSED`.
 */
export async function openWorkingFolder(root: string, path: string): Promise<WorkingFolder> {
  const wanted = resolve(root, parseFolder(path));
  try {
    const realRoot = await realpath(root);
    if (process.platform === "linux") return await holdFolder(wanted, { realRoot, path });
    const real = await realpath(wanted);
    assertBelow(real, realRoot, path);
    if (!(await stat(real)).isDirectory()) throw refused(path);
    return { path: real, close: async () => {} };
  } catch (thrown) {
    throw asFailure(thrown, path);
  }
}

async function holdFolder(
  wanted: string,
  { realRoot, path }: { readonly realRoot: string; readonly path: string },
): Promise<WorkingFolder> {
  const handle: FileHandle = await open(wanted, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    assertBelow(await readlink(held), realRoot, path);
    return { path: held, close: () => handle.close() };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

function assertBelow(real: string, root: string, path: string): void {
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new WorkflowError(
    "PATH_FORBIDDEN",
    `The folder ${showPath(path)} lies outside of the root that the host grants: a link leads there. Use a folder below the root.`,
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
