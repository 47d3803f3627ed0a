import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseFilePath } from "../../core/model/file-path.ts";
import { MAX_FILE_BYTES } from "../../core/model/limits.ts";
import type { ScratchFolder } from "../../core/ports/files.ts";
import { fileFailure } from "./failure.ts";
import { openBelow, openRoot } from "./folder.ts";
import type { FolderOptions } from "./folder.ts";
import { readRegular } from "./read-regular.ts";

/** Makes a folder among the temporary ones that only this user can enter. */
export async function makeScratchFolder(platform: FolderOptions): Promise<ScratchFolder> {
  const path = await makeFolder();
  return {
    path,
    async read(name, { maxBytes = MAX_FILE_BYTES } = {}) {
      const file = parseFilePath(name);
      try {
        const folder = await openBelow(await openRoot(path, platform), file.parts.slice(0, -1), {
          make: false,
          guard: async () => undefined,
        });
        try {
          const bytes = await readRegular(folder, file.parts.at(-1)!, { path: file.text, maxBytes: Math.min(maxBytes, MAX_FILE_BYTES) });
          return { path: file.text, bytes };
        } finally {
          await folder.close();
        }
      } catch (thrown) {
        throw fileFailure(thrown, file.text);
      }
    },
    async remove() {
      try {
        // A process that the step left behind may still be writing: then the folder is tried again.
        await rm(path, { recursive: true, force: true, maxRetries: 3 });
      } catch (thrown) {
        throw fileFailure(thrown, path);
      }
    },
  };
}

async function makeFolder(): Promise<string> {
  try {
    return await mkdtemp(join(await realpath(tmpdir()), "wavepoint-"));
  } catch (thrown) {
    throw fileFailure(thrown, tmpdir());
  }
}
