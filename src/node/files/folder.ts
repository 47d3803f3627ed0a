import { constants } from "node:fs";
import { lstat, mkdir, open, realpath } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, refusedKind } from "./failure.ts";

/** An open folder that no link led to. Close it. */
export interface Folder {
  /** Returns an address of an entry of this very folder, even if the folder was moved since, if the platform has such addresses. */
  at(name: string): string;
  /**
   * Returns whether an open file is the one with this name in the folder. Throws `FILE_REFUSED` if the folder is no longer where it was opened. If {@link at}
   * holds the folder, there is nothing to compare.
   */
  holds(name: string, file: FileHandle): Promise<boolean>;
  /** Opens a folder in it. Throws `FILE_REFUSED` for a link. */
  enter(name: string): Promise<Folder>;
  /** Makes a folder in it, if there is none. */
  make(name: string): Promise<void>;
  /** Tells folders apart. */
  identity(): Promise<string>;
  /** Makes new names in it last. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FolderOptions {
  /**
   * Whether the platform has addresses that lead through an open folder, as Linux has in `/proc`. Where it has none, the place of each folder
   * is compared before and after each use, which leaves a swap of links no bytes but a shorter window than none. Default: found out.
   */
  readonly hasHandlePaths?: boolean;
}

/** `O_NOFOLLOW` and `O_DIRECTORY` are absent on Windows, where only `lstat` recognises a link. */
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Opens the folder everything starts from. Links that lead to it are followed: its path is the host's. */
export async function openRoot(path: string, options: FolderOptions = {}): Promise<Folder> {
  const place = await realpath(path);
  const handle = await openHandle(place, FOLDER_FLAGS);
  try {
    const byHandle = options.hasHandlePaths ?? (await leadsThroughHandle(handle));
    return byHandle ? handleFolder(handle!, place) : placeFolder(handle, place);
  } catch (thrown) {
    await handle?.close();
    throw thrown;
  }
}

export interface WalkOptions {
  /** Whether folders on the way that are missing are made. */
  readonly make: boolean;
  /** Sees each folder before anything is opened or made in it; stops the walk by throwing. */
  readonly guard: (folder: Folder) => Promise<void>;
}

/** Goes from a folder to one below it, step by step. Closes the folders it leaves behind, the first one too. */
export async function openBelow(from: Folder, names: readonly string[], { make, guard }: WalkOptions): Promise<Folder> {
  let folder = from;
  try {
    await guard(folder);
    for (const name of names) {
      if (make) await folder.make(name);
      const left = folder;
      folder = await left.enter(name);
      await left.close();
      await guard(folder);
    }
    return folder;
  } catch (thrown) {
    await folder.close();
    throw thrown;
  }
}

/** A folder on Linux: every address goes through the open handle, so that no swap of names or links between two steps can matter. */
function handleFolder(handle: FileHandle, shown: string): Folder {
  const at = (name: string): string => `/proc/self/fd/${handle.fd}/${name}`;
  return {
    at,
    holds: async () => true,
    enter: async (name) => handleFolder(await open(at(name), FOLDER_FLAGS | NO_FOLLOW), join(shown, name)),
    make: async (name) => makeFolder(at(name), () => handle.sync()),
    identity: async () => identityOf(await handle.stat({ bigint: true })),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** A folder elsewhere: known by its real path, which is compared again after each file or folder opened in it. */
function placeFolder(handle: FileHandle | undefined, place: string): Folder {
  const at = (name: string): string => join(place, name);
  const confirm = async (): Promise<void> => {
    const [real, now] = await Promise.all([realpath(place), lstat(place, { bigint: true })]);
    const same = handle === undefined || identityOf(await handle.stat({ bigint: true })) === identityOf(now);
    if (real !== place || !now.isDirectory() || !same) throw refusedKind(place, "is not the folder it was a moment ago");
  };
  return {
    at,
    async holds(name, file) {
      await confirm();
      return identityOf(await lstat(at(name), { bigint: true })) === identityOf(await file.stat({ bigint: true }));
    },
    async enter(name) {
      await confirm();
      if (!(await lstat(at(name))).isDirectory()) throw refusedKind(name, "is a link or no folder");
      return placeFolder(await openHandle(at(name), FOLDER_FLAGS | NO_FOLLOW), at(name));
    },
    async make(name) {
      await confirm();
      await makeFolder(at(name), async () => handle?.sync());
    },
    identity: async () => identityOf(await lstat(place, { bigint: true })),
    sync: async () => handle?.sync(),
    close: async () => handle?.close(),
  };
}

/** Nothing on Windows, which cannot open folders; their names last by themselves there. */
async function openHandle(path: string, flags: number): Promise<FileHandle | undefined> {
  return process.platform === "win32" ? undefined : open(path, flags);
}

async function leadsThroughHandle(handle: FileHandle | undefined): Promise<boolean> {
  if (handle === undefined || process.platform !== "linux") return false;
  try {
    const through = await lstat(`/proc/self/fd/${handle.fd}/.`, { bigint: true });
    return identityOf(through) === identityOf(await handle.stat({ bigint: true }));
  } catch {
    return false;
  }
}

async function makeFolder(path: string, sync: () => Promise<void>): Promise<void> {
  try {
    await mkdir(path);
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return;
    throw thrown;
  }
  await sync();
}

export function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
