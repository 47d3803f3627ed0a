/**
 * `npm run planted-faults [-- NAME…]`: tries the tests. Plants one fault after another into the sources as they are loaded, and requires that the
 * tests named with it fail, which pass without it.
 */
import { readdir } from "node:fs/promises";
import process from "node:process";
import { plantFault } from "./planted-faults/fault.mjs";
import { runTests } from "./planted-faults/run-tests.mjs";

const FOLDER = new URL("planted-faults/faults/", import.meta.url);

async function readFaults(wanted) {
  const names = (await readdir(FOLDER)).map((file) => file.replace(/\.mjs$/, "")).toSorted();
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0 || names.length === 0) {
    console.error(`There is no fault ${unknown.join(", ")}. There are: ${names.join(", ")}.\nUsage: npm run planted-faults [-- NAME…]`);
    process.exit(2);
  }
  const chosen = wanted.length > 0 ? wanted : names;
  return Promise.all(chosen.map(async (name) => ({ name, ...(await import(new URL(`${name}.mjs`, FOLDER).href)).fault })));
}

/** The outcomes of the named tests. */
function outcomesOf(outcomes, { file, test }) {
  return outcomes.filter((outcome) => outcome.file === file && outcome.name.includes(test));
}

/** What is wrong with the tests while there is no fault. */
function problemsWithout(finders, outcomes) {
  return finders.flatMap((finder) => {
    const own = outcomesOf(outcomes, finder);
    const failed = own.filter(({ passed }) => !passed);
    if (own.length === 0) return [`${finder.file} has no test "${finder.test}"`];
    return failed.map(({ file, name, message }) => `${file} fails without any fault: ${name}: ${message}`);
  });
}

async function tryFault(fault) {
  const outcomes = await runTests(fault.foundBy, fault.name);
  const missed = fault.foundBy.filter((finder) => !outcomesOf(outcomes, finder).some(({ passed }) => !passed));
  const found = fault.foundBy.map((finder) => outcomesOf(outcomes, finder).find(({ passed }) => !passed)).find(Boolean);
  return { missed, found, failed: outcomes.filter(({ passed }) => !passed).length, tried: outcomes.length };
}

const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
const faults = await readFaults(process.argv.slice(2));
for (const fault of faults) plantFault(fault);

const finders = faults.flatMap(({ foundBy }) => foundBy);
const problems = problemsWithout(finders, await runTests(finders));
console.log(`Without a fault: ${problems.length === 0 ? "all tests that look for one pass" : "NOT AS IT SHOULD BE"} (${seconds()})`);

for (const fault of faults) {
  const { missed, found, failed, tried } = await tryFault(fault);
  console.log(
    `${missed.length === 0 ? "found " : "MISSED"}  ${fault.promise.padEnd(7)} ${fault.name}: ${fault.what} (${failed} of ${tried} tests fail)`,
  );
  if (found) console.log(`                 ${found.name}: ${found.message}`.slice(0, 200));
  for (const { file, test } of missed) problems.push(`${fault.name} is not found by ${file}, "${test}"`);
}

console.log(`${faults.length} faults in ${seconds()}, ${problems.length === 0 ? "all found" : "NOT ALL FOUND"}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
