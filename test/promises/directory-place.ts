import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesystemStore } from "wavepoint/store/filesystem";
import type { Place } from "./place.ts";

/** A new directory; stores over it are of one process. */
export function directoryPlace(): Place & { readonly directory: string } {
  const directory = mkdtempSync(join(tmpdir(), "wavepoint-promises-"));
  return {
    directory,
    open: () => filesystemStore(directory),
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
}
