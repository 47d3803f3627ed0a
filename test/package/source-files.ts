import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A module of the package as text. */
export interface SourceFile {
  /** Relative to the folder that was read, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The folder with package.json, ending in a slash. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** Reads every module below a folder; paths are relative to it. */
export function readSources(folder: "demo" | "scripts" | "src" = "src"): readonly SourceFile[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${ROOT}${folder}/${path}`, "utf8") }));
}
