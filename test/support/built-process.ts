import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { buildCopy } from "../package/built-copy.ts";

/** A script for plain Node that imports the package as users do who have installed it. */
export interface BuiltProcess {
  /** Path of the script. */
  readonly script: string;
  remove(): void;
}

/** Builds the package, and a script of the tests that runs on it. */
export async function buildProcess(entry: URL): Promise<BuiltProcess> {
  const copy = buildCopy();
  mkdirSync(`${copy.folder}process/node_modules`, { recursive: true });
  symlinkSync(copy.folder, `${copy.folder}process/node_modules/wavepoint`);
  const outDir = `${copy.folder}process`;
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: fileURLToPath(entry),
      outDir,
      emptyOutDir: false,
      target: "node20",
      rolldownOptions: { external: [/^wavepoint/], output: { entryFileNames: "main.js" } },
    },
  });
  writeFileSync(`${outDir}/package.json`, '{ "type": "module" }');
  const script = `${outDir}/main.js`;
  if (!/from "wavepoint["/]/.test(readFileSync(script, "utf8"))) throw new Error("The script does not use the package as it is installed.");
  return { script, remove: copy.remove };
}
