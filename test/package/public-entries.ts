import { readManifest } from "../../scripts/build/manifest.mjs";

/** A public subpath of the package. */
export interface PublicEntry {
  /** The name that users import, such as `wavepoint/yaml`. */
  readonly name: string;
  /** Path of its built module in the package. */
  readonly built: string;
  /** Path of its source in the project. */
  readonly source: string;
}

/** Lists the modules of the exports map; what is no module (package.json) is left out. */
export function listPublicEntries(): readonly PublicEntry[] {
  return Object.entries(readManifest().exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const built = target.default.replace("./dist/", "");
    return [{ name: `wavepoint${subpath.slice(1)}`, built, source: target["wavepoint:source"].slice(2) }];
  });
}
