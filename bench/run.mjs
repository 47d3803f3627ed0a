// `npm run bench [-- --quick] [-- --only ROW]`: measures every row and prints the table; a full run also writes bench/RESULTS.md and the
// figures of docs/performance.md.
import { execFileSync, fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { removeDirectory } from "./harness/data-directory.mjs";
import { format, resolveConfig } from "prettier";
import { describeMachine, loadNow } from "./harness/machine.mjs";
import { renderPage, renderReadme, renderTable } from "./harness/table.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const ROWS = [
  "chain",
  "fan-out",
  "subscriber",
  "filesystem-step",
  "filesystem-together",
  "databases",
  "indexeddb",
  "stored-bytes",
  "loop",
  "pause",
  "resume",
  "waiting",
  "revise",
  "encryption",
  "compression",
  "retention",
  "moving",
  "plan",
  "graph",
  "load",
  "list",
  "many-runs",
  "long-lists",
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

/** Puts the figures between the two marks of a page. */
async function writeFigures(path, figures) {
  const page = readFileSync(path, "utf8");
  const [start, end] = ["<!-- bench:start -->", "<!-- bench:end -->"].map((mark) => page.indexOf(mark));
  if (start < 0 || end < start) throw new Error(`${path} has no place for the figures.`);
  const text = `${page.slice(0, start)}<!-- bench:start -->\n\n${figures}\n\n${page.slice(end)}`;
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}

const { quick, rows } = readArguments();
const { dependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"));
if (!Object.keys(dependencies).every((peer) => existsSync(at(`node_modules/${peer}`))))
  execFileSync("npm", ["ci", "--silent"], { cwd: at("."), stdio: "inherit" });

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
if (!quick && !failed && rows === ROWS) {
  const machine = { ...describeMachine(), loadAtStart: started.load, tookMs: Date.now() - started.time };
  writeFileSync(at("RESULTS.md"), renderPage(lines, machine));
  await writeFigures(at("../docs/performance.md"), renderReadme(lines, machine));
}
process.exitCode = failed ? 1 : 0;
