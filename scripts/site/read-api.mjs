// @ts-check
// Finds all that the package exports, and where each name is declared.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { forgetModules, readModule } from "./read-module.mjs";

/** @typedef {import("./read-module.mjs").Declaration} Declaration */

/**
 * @typedef {object} Entry A public subpath.
 * @property {string} name What users import: `wavepoint/yaml`.
 * @property {readonly Declaration[]} declarations In the order of the source.
 * @property {readonly { readonly name: string; readonly entry: string }[]} elsewhere What another entry, which was there first, exports too.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCE = "wavepoint:source";

/**
 * Every public subpath with what it exports. A name that several export is described at the first.
 * @returns {readonly Entry[]}
 */
export function readApi() {
  forgetModules();
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  /** @type {Map<string, string>} */
  const homes = new Map();
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const name = `wavepoint${subpath.slice(1)}`;
    const file = join(ROOT, target[SOURCE]);
    const all = readModule(file).exported.map((exported) => findDeclaration(file, exported));
    const key = (/** @type {Declaration} */ { file: place, name: own }) => `${place}#${own}`;
    const own = all.filter((declaration) => !homes.has(key(declaration)));
    const elsewhere = all.flatMap((declaration) => {
      const entry = homes.get(key(declaration));
      return entry === undefined ? [] : [{ name: declaration.name, entry }];
    });
    for (const declaration of own) homes.set(key(declaration), name);
    return [{ name, declarations: own, elsewhere }];
  });
}

/**
 * Follows a name from the module that exports it to the one that declares it.
 * @param {string} file
 * @param {string} name
 * @returns {Declaration}
 */
function findDeclaration(file, name) {
  const module = readModule(file);
  const declaration = module.declarations.get(name);
  if (declaration) return declaration;
  const source = module.passedOn.get(name);
  if (!source?.from.startsWith(".")) throw new Error(`${file} exports ${name}, which no file of the package declares.`);
  return findDeclaration(join(dirname(file), source.from), source.name);
}
