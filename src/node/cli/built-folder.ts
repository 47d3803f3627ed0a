import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A folder of the built package: of a page that a command serves. */
export function builtFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("wavepoint/package.json")), name);
}
