import { opfsFiles } from "wavepoint/browser";
import { allowHosts } from "wavepoint/network";
import { readSetup } from "./read-setup.ts";
import type { Site } from "./site.ts";

let made = 0;

/** A folder of the origin private file system; what else is in it must stay as it is. There are no commands. */
export async function openBrowserSite(): Promise<Site> {
  const folder = `site-${(made += 1)}`;
  const storage = await navigator.storage.getDirectory();
  const root = await storage.getDirectoryHandle(folder, { create: true });
  const grants = { files: opfsFiles({ folder }), network: allowHosts([]) };
  const others = async (): Promise<string> => (await listFiles(storage)).filter((path) => !path.startsWith(`${folder}/`)).join("\n");
  const before = await others();
  return {
    grants,
    async prepare(text) {
      const contents: string[] = [];
      for (const step of readSetup(text)) {
        if (step.kind !== "file") continue;
        await grants.files.write(step.path, step.bytes);
        contents.push(new TextDecoder().decode(step.bytes));
      }
      return { text, contents };
    },
    list: () => listFiles(root),
    async findDamage() {
      const after = await others();
      return after === before ? undefined : `outside of the root something changed: ${after}`;
    },
    close: () => storage.removeEntry(folder, { recursive: true }),
  };
}

async function listFiles(folder: FileSystemDirectoryHandle): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const [name, entry] of folder.entries()) {
    if (entry.kind === "file") paths.push(name);
    else for (const path of await listFiles(entry as FileSystemDirectoryHandle)) paths.push(`${name}/${path}`);
  }
  return paths;
}
