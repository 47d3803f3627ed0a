import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder with package.json, ending in a slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A mistake that a developer might make, and the tests that must find it.
 * @typedef {object} Fault
 * @property {string} promise What it breaks, by the letter and number of the tests that say so.
 * @property {string} what The mistake, in a few words.
 * @property {string} module The file it is made in, from the root.
 * @property {readonly Change[]} changes The texts that are replaced.
 * @property {readonly Finder[]} foundBy Each of these must fail with the fault, and pass without it.
 */

/**
 * @typedef {object} Change
 * @property {string} from Stands in the module exactly once.
 * @property {string} to
 */

/**
 * @typedef {object} Finder
 * @property {string} file From the root.
 * @property {string} test Part of a test's full name; where several have it, one of them is enough.
 */

/**
 * The text of a module with the fault in it. Throws where the text to replace is not there exactly once: the module changed, and the fault has to
 * follow.
 * @param {Fault} fault
 * @param {string} [text]
 */
export function plantFault({ what, module, changes }, text = readFileSync(`${ROOT}${module}`, "utf8")) {
  return changes.reduce((planted, { from, to }) => {
    const [before, after, more] = planted.split(from);
    if (after === undefined || more !== undefined) {
      const count = after === undefined ? "not" : "more than once";
      throw new Error(`"${what}" cannot be planted: ${module} has this text ${count}, make the fault follow the module:\n${from}`);
    }
    return `${before}${to}${after}`;
  }, text);
}
