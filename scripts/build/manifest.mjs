// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Libraries that become part of the package, because their own builds need a bundler that has been set up for them: devalue can only be found
 * through `exports`, which Parcel does not read; immer reads `process` in a browser; and what yaml gives to Node is CommonJS, which esbuild
 * cannot put into a module.
 */
export const BUNDLED = ["devalue", "immer", "yaml"];

const SOURCE = "wavepoint:source";

/**
 * @typedef {{ readonly "wavepoint:source": string, readonly types: string, readonly default: string }} Target
 * @typedef {{ readonly exports: { readonly [subpath: string]: string | Target }, readonly bin: { readonly wavepoint: string }, readonly main: string, readonly types: string, readonly browser: { readonly [path: string]: false }, readonly [key: string]: unknown }} Manifest
 */

/** @returns {Manifest} */
export const readManifest = () => JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** What is about the project. */
const OWN_KEYS = ["files", "scripts", "devDependencies"];

const inDist = (/** @type {string} */ path) => path.replace("./dist/", "./");

/**
 * The modules to build: paths of sources by the path of what is built from them, without its ending.
 * @param {Manifest} manifest
 */
export function sourcesOf({ exports, bin }) {
  const built = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [[target.default, target[SOURCE]]]));
  const entries = [...built, [bin.wavepoint, "./src/node/cli/main.ts"]];
  return Object.fromEntries(entries.map(([to = "", from = ""]) => [to.replace("./dist/", "").replace(/\.js$/, ""), join(ROOT, from)]));
}

/**
 * What users see of package.json. Paths start in the folder of the build. The name of each module is its subpath, so tools that know no
 * `exports` find it too.
 * @param {Manifest} manifest
 */
export function publishedManifest(manifest) {
  const { exports, bin, main, types, browser } = manifest;
  const kept = Object.entries(manifest).filter(([key]) => !OWN_KEYS.includes(key));
  const targets = Object.entries(exports).map(([subpath, target]) => [
    subpath,
    typeof target === "string" ? inDist(target) : { types: inDist(target.types), default: inDist(target.default) },
  ]);
  return {
    ...Object.fromEntries(kept),
    main: inDist(main),
    types: inDist(types),
    bin: { wavepoint: inDist(bin.wavepoint) },
    // The filesystem store stands on modules of Node, which bundlers for browsers do not find; `openStore` refuses a directory there before it
    // would load it.
    browser: Object.fromEntries(Object.entries(browser).map(([path, target]) => [inDist(path), target])),
    exports: Object.fromEntries(targets),
  };
}
