import { readFileSync } from "node:fs";
import { ROOT } from "./source-files.ts";

/** A public subpath of the package. */
export interface PublicEntry {
  /** The name that users import, such as `wavepoint/yaml`. */
  readonly name: string;
  /** Absolute path of its built module. */
  readonly built: string;
}

/** Lists the modules of the exports map; what is no module (package.json) is left out. */
export function listPublicEntries(): readonly PublicEntry[] {
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    return [{ name: `wavepoint${subpath.slice(1)}`, built: `${ROOT}${target.default.slice(2)}` }];
  });
}
