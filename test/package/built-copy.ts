import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-files.ts";

/** What users get, built apart from `dist` so that a test neither needs nor changes it. */
export interface BuiltCopy {
  /** The folder that stands for `dist`, ending in a slash. */
  readonly folder: string;
  remove(): void;
}

// Inside the project, where the dependencies are found.
const HOME = `${ROOT}node_modules/.cache/wavepoint-built`;

/** Builds the package with the compiler. */
export function buildCopy(): BuiltCopy {
  mkdirSync(HOME, { recursive: true });
  const folder = mkdtempSync(join(HOME, "copy-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const compiler = `${ROOT}node_modules/typescript/bin/tsc`;
  const build = spawnSync(process.execPath, [compiler, "-p", `${ROOT}tsconfig.build.json`, "--outDir", folder], { encoding: "utf8" });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (build.status !== 0) {
    remove();
    throw new Error(`The package could not be built:\n${build.stdout}`);
  }
  return { folder: `${folder}/`, remove };
}
