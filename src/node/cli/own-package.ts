import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A folder of the built package: of a page that a command serves. */
export function builtFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("wavepoint/package.json")), name);
}

/** The version of the package this file belongs to. */
export function readVersion(): string {
  return (createRequire(import.meta.url)("wavepoint/package.json") as { readonly version: string }).version;
}
