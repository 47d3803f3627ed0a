import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesystemStore } from "wavepoint/store/filesystem";
import type { JournalFiles } from "./judge-bytes.ts";

/** A filesystem store in a temporary directory. */
export async function openNodeJournals(): Promise<JournalFiles> {
  const root = await mkdtemp(join(tmpdir(), "wavepoint-journals-"));
  const list = async (): Promise<readonly string[]> => {
    const names = await readdir(root, { recursive: true });
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(root, name));
  };
  return {
    open: async () => filesystemStore(root),
    async change(edit) {
      const paths = await list();
      if (paths.length === 0) throw new Error("the store has no journal");
      for (const path of paths) await writeFile(path, edit(await readFile(path)));
    },
    read: async () => (await Promise.all((await list()).map((path) => readFile(path, "base64")))).join("\n"),
    close: () => rm(root, { recursive: true, force: true }),
  };
}
