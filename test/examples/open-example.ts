import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../package/source-files.ts";
import { EXAMPLES, readmeLines, type ReadmeLine } from "./readme-lines.ts";
import { freePort } from "../support/free-port.ts";
import { startService, type Service } from "./service.ts";

/** An example in a folder of its own, as someone has it who took it home, with the service it talks to. */
export interface OpenExample {
  readonly path: string;
  /** What the README says to type while the service runs. */
  readonly lines: readonly ReadmeLine[];
  close(): Promise<void>;
}

/** The port that READMEs name; a test takes another one. */
const PORT = "4321";

/** Copies an example; programs in it find the package by its name. */
export async function openExample(folder: string): Promise<OpenExample> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "wavepoint-example-")));
  const path = join(home, folder);
  cpSync(`${EXAMPLES}${folder}`, path, { recursive: true });
  mkdirSync(join(home, "node_modules"));
  symlinkSync(ROOT, join(home, "node_modules/wavepoint"));

  const port = String(await freePort());
  const lines: ReadmeLine[] = [];
  const services: Service[] = [];
  for (const line of readmeLines(folder)) {
    const words = line.words.map((word) => word.replace(PORT, port));
    if (line.program === "node" && words.includes(port)) services.push(await startService(words[0]!, words.slice(1), path));
    else lines.push({ ...line, words });
  }
  return {
    path,
    lines,
    async close() {
      await Promise.all(services.map((service) => service.stop()));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
