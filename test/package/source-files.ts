import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A module of the package as text. */
export interface SourceFile {
  /** Relative to `src/`, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The folder with package.json, ending in a slash. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** Reads every TypeScript file below `src/`. */
export function readSources(): readonly SourceFile[] {
  return readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${ROOT}src/${path}`, "utf8") }));
}
