import { createRequire } from "node:module";

/** The version of the package this file belongs to. */
export function readVersion(): string {
  return (createRequire(import.meta.url)("wavepoint/package.json") as { readonly version: string }).version;
}
