import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./fault.mjs";

const CONFIG = fileURLToPath(new URL("vitest.config.mjs", import.meta.url));
/** A run that takes longer hangs. */
const HANG_MS = 240_000;

/**
 * What became of a test.
 * @typedef {object} Outcome
 * @property {string} file From the root.
 * @property {string} name Its full name.
 * @property {boolean} passed
 * @property {string} message The first line of its first failure.
 */

/**
 * Runs those tests of Node whose names have one of some parts, in a process of their own, with a fault or without.
 * @param {readonly import("./fault.mjs").Finder[]} finders
 * @param {string} [fault]
 * @returns {Promise<readonly Outcome[]>}
 */
export async function runTests(finders, fault) {
  const directory = mkdtempSync(join(tmpdir(), "wavepoint-faults-"));
  const report = join(directory, "report.json");
  const files = [...new Set(finders.map(({ file }) => file))];
  const names = finders.map(({ test }) => test.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join("|");
  const options = [
    "--config",
    CONFIG,
    "--project",
    "node*",
    "--project",
    "end-to-end",
    "--reporter=json",
    `--outputFile=${report}`,
    "-t",
    names,
  ];
  const { PLANTED_FAULT: _, ...given } = process.env;
  const env = { ...given, WAVEPOINT_IMITATIONS: "1" };
  try {
    const complaint = await finished(
      spawn(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...options, ...files], {
        cwd: ROOT,
        env: fault === undefined ? env : { ...env, PLANTED_FAULT: fault },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: HANG_MS,
        killSignal: "SIGKILL",
      }),
    );
    return readReport(report, complaint);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What a process said that ended. */
function finished(child) {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said = (said + chunk).slice(-2_000)));
  return new Promise((done, refuse) => {
    child.once("error", refuse);
    child.once("close", () => done(said));
  });
}

function readReport(path, complaint) {
  let suites;
  try {
    ({ testResults: suites } = JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new Error(`The tests did not come to an end: ${complaint}`);
  }
  return suites.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ fullName, status, failureMessages }) => ({
        file: file.slice(ROOT.length),
        name: fullName,
        passed: status === "passed",
        message: failureMessages[0]?.split("\n")[0] ?? "",
      })),
  );
}
