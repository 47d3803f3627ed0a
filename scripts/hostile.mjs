/** `npm run hostile -- DIR`: tries every input of a hostile corpus (a folder with a manifest.json) and compares its verdict with the expected one. */
import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, normalize, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import "./corpus/run-from-source.mjs";

/** Beyond what any input may take: an input that is not done by then hangs. */
const HANG_MS = 15_000;
/** Heap of the judging process, in MB: no input may need more. */
const HEAP_MB = 128;

function stopWithUsage(problem) {
  console.error(`${problem}\nUsage: npm run hostile -- DIR`);
  process.exit(2);
}

async function readManifest(folder) {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch((error) =>
    stopWithUsage(`${folder}/manifest.json cannot be read: ${error.code ?? error.message}.`),
  );
  try {
    const { inputs } = JSON.parse(text);
    if (Array.isArray(inputs) && inputs.length > 0) return inputs;
  } catch (error) {
    stopWithUsage(`${folder}/manifest.json is no JSON: ${error.message}.`);
  }
  return stopWithUsage(`${folder}/manifest.json lists no inputs.`);
}

const { GENERATED_WORKFLOWS, restoreLongTexts } = await import("../test/corpus/hostile/generate.ts");

/** The text of an input, or its row; what the folder does not hold because it is only size is generated. */
async function readContent(folder, input) {
  const path = normalize(input.file);
  if (isAbsolute(path) || path.startsWith("..")) throw new Error(`${input.file} lies outside the folder`);
  const text = await readFile(join(folder, path), "utf8").catch((error) => {
    const generated = GENERATED_WORKFLOWS.get(input.file)?.();
    if (generated === undefined) throw error;
    return generated;
  });
  if (input.row === undefined) return text;
  const row = restoreLongTexts(JSON.parse(text)).rows[input.row];
  if (row === undefined) throw new Error(`${input.file} has no row ${input.row}`);
  return row;
}

function startJudge() {
  const child = fork(fileURLToPath(new URL("./corpus/hostile-child.mjs", import.meta.url)), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk) => (complaint = (complaint + chunk).slice(-2_000)));
  const ready = new Promise((done, refuse) => {
    child.once("message", done);
    child.once("exit", () => refuse(new Error(`the judging process does not start: ${complaint}`)));
  });
  return {
    child,
    ready,
    complaint: () =>
      complaint
        .trim()
        .split("\n")
        .findLast((line) => /error|fatal/i.test(line)) ?? "",
  };
}

function askJudge(judge, message) {
  return new Promise((done) => {
    const finish = (verdict) => {
      clearTimeout(timer);
      judge.child.off("message", finish);
      judge.child.off("exit", died);
      done(verdict);
    };
    const died = (code, signal) =>
      finish({ status: "failed", expected: "the process lives", actual: `it ended (${signal ?? code}) ${judge.complaint()}`, dead: true });
    const timer = setTimeout(() => {
      judge.child.off("exit", died);
      judge.child.kill("SIGKILL");
      finish({ status: "failed", expected: "a verdict", actual: `none after ${HANG_MS / 1_000} s`, dead: true });
    }, HANG_MS);
    judge.child.once("message", finish);
    judge.child.once("exit", died);
    judge.child.send(message);
  });
}

if (process.argv.length !== 3) stopWithUsage("Name one folder.");
const folder = resolve(process.argv[2]);
const counts = { passed: 0, failed: 0, "not-applicable": 0 };
let judge;

for (const input of await readManifest(folder)) {
  let verdict;
  try {
    const content = await readContent(folder, input);
    judge ??= startJudge();
    await judge.ready;
    verdict = await askJudge(judge, { input, content });
    if (verdict.dead) judge = undefined;
  } catch (error) {
    verdict = { status: "failed", expected: "an input that can be read", actual: error.message };
  }
  counts[verdict.status] += 1;
  if (verdict.status === "failed")
    console.log(`FAILED ${input.id}: expected ${verdict.expected}, got ${verdict.actual.replaceAll("\n", " / ")}`);
  if (verdict.status === "passed" && verdict.why !== undefined) console.log(`PASSED ${input.id}: ${verdict.why}`);
  if (verdict.status === "not-applicable") console.log(`NOT APPLICABLE ${input.id}: ${verdict.why}`);
}

judge?.child.disconnect();
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts["not-applicable"]} not applicable`);
process.exitCode = counts.failed > 0 ? 1 : 0;
