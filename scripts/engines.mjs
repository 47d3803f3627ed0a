// @ts-check
// Runs the tests of stores, tabs and elements in Firefox and WebKitGTK, one after another, and says in the end what was tried where:
// `npm run test:engines [firefox | webkit]`.
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFirefox, findWebKit } from "./engines/find-engines.mjs";
import { LEFT_OUT } from "./engines/left-out.mjs";
import { startWebKit } from "./engines/webkit-driver.mjs";

/** @typedef {{ status: string, title: string, ancestorTitles: string[], fullName: string }} Assertion */
/** @typedef {{ testResults: { name: string, message: string, status: string, assertionResults: Assertion[] }[] }} Report */
/**
 * @typedef {object} Engine
 * @property {"firefox" | "webkit"} project What its tests in pages are called.
 * @property {string} name As the tests that kill whole browsers call it.
 * @property {string} install
 * @property {boolean} isThere
 * @property {() => Promise<string>} version
 */
/** @typedef {{ files: number, passed: number, failed: string[], skipped: string[] }} Tally */

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
/** An engine that takes longer than this hangs. On two busy cores one takes five minutes. */
const LONGEST_MS = 30 * 60_000;
/** How long processes that were told to end may take. */
const ENDING_MS = 5_000;
/** Marks the processes of a run, also those started by other processes. */
const MARK = "WAVEPOINT_ENGINES_RUN";

const webkit = findWebKit();
const firefox = findFirefox();
/** @type {readonly Engine[]} */
const ENGINES = [
  {
    project: "firefox",
    name: "Firefox",
    install: "install firefox-esr, or set FIREFOX_PATH",
    isThere: firefox !== undefined,
    version: async () => (await promisify(execFile)(/** @type {string} */ (firefox), ["--version"])).stdout.trim(),
  },
  {
    project: "webkit",
    name: "WebKitGTK",
    install: "install webkit2gtk-driver and xvfb, or set WEBKIT_DRIVER_PATH and WEBKIT_BROWSER_PATH",
    isThere: webkit !== undefined,
    async version() {
      const browser = await startWebKit(/** @type {NonNullable<typeof webkit>} */ (webkit));
      await browser.close();
      return `WebKitGTK ${browser.version}`;
    },
  },
];

/**
 * Runs some of the tests, and gives what came of them. Nothing that they started is left when this resolves.
 * @param {readonly string[]} choice
 * @returns {Promise<{ report: Report | undefined, trouble: string | undefined }>}
 */
async function runTests(choice) {
  const folder = mkdtempSync(join(tmpdir(), "wavepoint-engines-"));
  const file = join(folder, "report.json");
  const mark = randomUUID();
  const flags = ["--config", "scripts/engines/vitest.config.mjs", "--reporter=default", "--reporter=json", `--outputFile=${file}`];
  const tests = spawn(process.execPath, [VITEST, "run", ...flags, ...choice], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, [MARK]: mark },
  });
  const ended = new Promise((resolve) => tests.once("exit", resolve));
  const late = new AbortController();
  const isLate = await Promise.race([ended.then(() => false), wait(LONGEST_MS, true, { signal: late.signal }).catch(() => false)]);
  late.abort();
  if (isLate) tests.kill("SIGKILL");
  const left = await endProcesses(mark);
  const report = existsSync(file) ? /** @type {Report} */ (JSON.parse(readFileSync(file, "utf8"))) : undefined;
  rmSync(folder, { recursive: true, force: true });
  if (isLate) return { report, trouble: `did not end in ${LONGEST_MS / 60_000} minutes` };
  if (left.length > 0) return { report, trouble: `left processes behind: ${left.join(", ")}` };
  return { report, trouble: report ? undefined : "gave no report" };
}

/**
 * Ends what is left of a run, and gives what had to be killed. Looks nowhere but on Linux.
 * @param {string} mark
 */
async function endProcesses(mark) {
  const until = Date.now() + ENDING_MS;
  while (findProcesses(mark).length > 0 && Date.now() < until) await wait(100);
  const left = findProcesses(mark);
  for (const { pid } of left) process.kill(pid, "SIGKILL");
  return left.map(({ name }) => name);
}

/** @param {string} mark */
function findProcesses(mark) {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        if (!readFileSync(`/proc/${entry}/environ`, "utf8").includes(`${MARK}=${mark}`)) return [];
        return [{ pid: Number(entry), name: readFileSync(`/proc/${entry}/comm`, "utf8").trim() }];
      } catch {
        // It has just ended, or belongs to another user.
        return [];
      }
    });
}

/**
 * @param {Report | undefined} report
 * @param {(assertion: Assertion) => boolean} isMeant
 * @returns {Tally}
 */
function count(report, isMeant) {
  const results = (report?.testResults ?? []).map(({ name, message, status, assertionResults }) => ({
    file: relative(ROOT, name),
    // One that could not be loaded has no tests.
    broken: status === "failed" && assertionResults.length === 0 ? [message] : [],
    tests: assertionResults.filter(isMeant),
  }));
  const of = (/** @type {(status: string) => boolean} */ is) =>
    results.flatMap(({ file, tests }) => tests.filter(({ status }) => is(status)).map(({ fullName }) => `${file}: ${fullName}`));
  return {
    files: results.filter(({ tests }) => tests.length > 0).length,
    passed: of((status) => status === "passed").length,
    failed: [...of((status) => status === "failed"), ...results.flatMap(({ file, broken }) => broken.map((why) => `${file}: ${why}`))],
    skipped: of((status) => status !== "passed" && status !== "failed"),
  };
}

const chosen = process.argv.slice(2);
const engines = ENGINES.filter(({ project }) => chosen.length === 0 || chosen.includes(project));
if (engines.length === 0) {
  process.stderr.write(`There is no engine ${chosen.join(", ")}. Choose among ${ENGINES.map(({ project }) => project).join(", ")}.\n`);
  process.exit(1);
}

/** @type {string[][]} */
const rows = [];
/** @type {string[]} */
const notes = [];
let isGood = true;
for (const { project, name, install, isThere, version } of engines) {
  if (!isThere) {
    rows.push([name, "not installed", "", "", "", ""]);
    notes.push(`${name} was not found, so nothing was tried in it: ${install}.`);
    continue;
  }
  const began = Date.now();
  const inPages = await runTests(["--project", project]);
  const whole = await runTests(["--project", "kills", "--testNamePattern", `^${name} `]);
  const tallies = [count(inPages.report, () => true), count(whole.report, ({ ancestorTitles }) => ancestorTitles[0] === name)];
  const sum = (/** @type {(tally: Tally) => number} */ of) => String(tallies.reduce((total, tally) => total + of(tally), 0));
  const failed = tallies.flatMap((tally) => tally.failed);
  const skipped = tallies.flatMap((tally) => tally.skipped);
  const trouble = [inPages, whole].flatMap((run) => run.trouble ?? []);
  rows.push([
    await version(),
    sum(({ files }) => files),
    sum(({ passed }) => passed),
    String(failed.length),
    String(skipped.length),
    `${Math.round((Date.now() - began) / 1_000)} s`,
  ]);
  for (const test of failed) notes.push(`${name}: failed: ${test}`);
  for (const test of skipped) notes.push(`${name}: left out by the test itself: ${test}`);
  for (const { files, reason } of LEFT_OUT[project]) notes.push(`${name}: left out: ${files}: ${reason}.`);
  for (const what of trouble) notes.push(`${name}: the run ${what}.`);
  isGood &&= failed.length + trouble.length === 0 && tallies.every(({ passed }) => passed > 0);
}

const HEAD = ["engine", "files", "passed", "failed", "left out", "took"];
const widths = HEAD.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
const lines = [HEAD, ...rows].map((row) =>
  row
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join("  ")
    .trimEnd(),
);
process.stdout.write(`\n${[...lines, "", ...notes].join("\n")}\n`);
if (!engines.some(({ isThere }) => isThere)) process.stdout.write("Nothing was tried.\n");
process.exitCode = isGood && engines.some(({ isThere }) => isThere) ? 0 : 1;
