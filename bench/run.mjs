// `npm run bench [-- --quick] [-- --only ROW]`: measures every row and prints the table; a full run also keeps it in bench/RESULTS.md.
import { execFileSync, fork } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { removeDirectory } from "./harness/data-directory.mjs";
import { describeMachine, loadNow } from "./harness/machine.mjs";
import { renderPage, renderTable } from "./harness/table.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const ROWS = [
  "chain",
  "fan-out",
  "filesystem-step",
  "filesystem-together",
  "indexeddb",
  "stored-bytes",
  "pause",
  "resume",
  "waiting",
  "revise",
  "encryption",
  "compression",
  "retention",
  "moving",
  "plan",
  "load",
  "list",
  "size",
];

function readArguments() {
  const usage = `Usage: npm run bench [-- --quick] [--only ${ROWS.join("|")}]`;
  try {
    const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true } } });
    const unknown = values.only?.find((name) => !ROWS.includes(name));
    if (unknown === undefined) return { quick: values.quick, rows: values.only ?? ROWS };
    console.error(`There is no row "${unknown}". ${usage}`);
  } catch (error) {
    console.error(`${error.message} ${usage}`);
  }
  return process.exit(2);
}

function measureRow(name, quick) {
  const child = fork(at("run-row.mjs"), quick ? [name, "--quick"] : [name], { execArgv: ["--expose-gc"] });
  return new Promise((resolve, reject) => {
    let lines;
    child.on("message", (message) => (lines = message));
    child.on("exit", (code) => (lines && code === 0 ? resolve(lines) : reject(new Error(`Row "${name}" failed with exit code ${code}.`))));
  });
}

const { quick, rows } = readArguments();
if (!existsSync(at("node_modules/xstate"))) execFileSync("npm", ["ci", "--silent"], { cwd: at("."), stdio: "inherit" });

const started = { load: loadNow(), time: Date.now() };
const lines = [];
let failed = false;
for (const name of rows) {
  const start = Date.now();
  try {
    lines.push(...(await measureRow(name, quick)));
    console.error(`${name}: ${((Date.now() - start) / 1000).toFixed(0)} s`);
  } catch (error) {
    failed = true;
    console.error(error.message);
  }
}
removeDirectory();
console.log(renderTable(lines));
const isWhole = !quick && !failed && rows === ROWS;
if (isWhole)
  writeFileSync(
    at("RESULTS.md"),
    renderPage(lines, { ...describeMachine(), loadAtStart: started.load, tookMs: Date.now() - started.time }),
  );
process.exitCode = failed ? 1 : 0;
