// @ts-check
// Finds a Chromium that works, or installs one: `node scripts/browser.mjs`. The tests look it up again by findChromium.
import process from "node:process";
import { pathToFileURL } from "node:url";
import { listCandidates } from "./browser/candidates.mjs";
import { isExecutable } from "./browser/executable.mjs";
import { INSTALLERS } from "./browser/install.mjs";
import { probe } from "./browser/probe.mjs";
import { recall, remember } from "./browser/remembered.mjs";

const CHOICE_VARIABLES = ["CHROMIUM_PATH", "CHROME_PATH", "CHROME_BIN"];

const report = (/** @type {string} */ line) => process.stderr.write(`[browser] ${line}\n`);

/** @returns {string | undefined} */
function chosenByEnvironment() {
  const variable = CHOICE_VARIABLES.find((name) => process.env[name]);
  const path = variable === undefined ? undefined : process.env[variable];
  // What someone chose is never silently replaced by something else.
  if (path !== undefined && !isExecutable(path))
    throw new Error(`${variable} is ${path}, which is not an executable file. Correct or unset it.`);
  return path;
}

/**
 * @param {readonly string[]} paths
 * @returns {string | undefined}
 */
function firstThatWorks(paths) {
  for (const path of paths.filter(isExecutable)) {
    const problem = probe(path);
    if (problem === undefined) {
      remember(path);
      return path;
    }
    report(`${path} does not start: ${problem}`);
  }
  return undefined;
}

const lookUp = () => chosenByEnvironment() ?? recall() ?? firstThatWorks(listCandidates());

/**
 * The path of a Chromium that was proven to work; throws where there is none. Installs nothing.
 * @returns {string}
 */
export function findChromium() {
  const path = lookUp();
  if (path === undefined) throw new Error(`No Chromium was found. Run "node scripts/browser.mjs", or set ${CHOICE_VARIABLES[0]}.`);
  return path;
}

/**
 * The path of a Chromium that works, installed if there was none.
 * @returns {string}
 */
export function ensureChromium() {
  const found = lookUp();
  if (found !== undefined) return found;
  const problems = [];
  for (const { name, install } of INSTALLERS) {
    report(`installing Chromium: ${name}`);
    const { path, problem } = install();
    const working = problem === undefined ? firstThatWorks(path === undefined ? listCandidates() : [path]) : undefined;
    if (working !== undefined) return working;
    problems.push(problem ?? `${name}: installed, but it does not start`);
    report(problems.at(-1) ?? "");
  }
  throw new Error(
    `No Chromium could be found or installed:\n  ${problems.join("\n  ")}\nInstall one and set ${CHOICE_VARIABLES[0]} to its path.`,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    report(ensureChromium());
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
