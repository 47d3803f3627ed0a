import { fileURLToPath } from "node:url";
import type { Store } from "../core/ports/store.ts";
import { realDisk } from "./filesystem/real-disk.ts";
import { openFilesystemStore } from "./filesystem/store.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** How a {@link filesystemStore} speaks. */
export interface FilesystemStoreOptions {
  /**
   * Receives a message about each repair and each thing left out: an unfinished write at the end of a journal, a directory open to others. Default:
   * `process.emitWarning`.
   */
  readonly onWarning?: (message: string) => void;
}

/**
 * A store in a directory of this machine, given as a path or a `file:` URL: for each run a journal that only grows, synced before a commit resolves. Several processes may
 * use one directory; it must be on a local disk, since network file systems do not keep the promises of a sync. Directories are made with
 * the first write. Throws nothing itself; the calls of the store reject with `STORE_…` codes.
 */
export function filesystemStore(directory: string | URL, options: FilesystemStoreOptions = {}): Store {
  assertOptions("filesystemStore", options, { onWarning: true });
  const { onWarning = (message: string) => process.emitWarning(message, "WavepointWarning") } = options;
  return openFilesystemStore(typeof directory === "string" ? directory : fileURLToPath(directory), realDisk, onWarning);
}
