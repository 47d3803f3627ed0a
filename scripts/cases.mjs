/** `npm run cases -- DIR [--store memory|filesystem|indexeddb]`: plays every acceptance case of a folder through the public API. */
import "./corpus/run-from-source.mjs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** A case that is not over by then hangs. */
const CASE_TIMEOUT_MS = 20_000;

const STORES = { memory: playInMemory, filesystem: playOnFiles, indexeddb: playInChromium };

function stopWithUsage(problem) {
  console.error(`${problem}\nUsage: npm run cases -- DIR [--store ${Object.keys(STORES).join("|")}]`);
  process.exit(2);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { store: { type: "string", default: "memory" } } });
    if (positionals.length !== 1) stopWithUsage("Name one folder with cases.");
    if (!Object.hasOwn(STORES, values.store)) stopWithUsage(`There is no store "${values.store}".`);
    return { folder: resolve(positionals[0]), store: values.store };
  } catch (error) {
    return stopWithUsage(error.message);
  }
}

async function listCases(folder) {
  const names = await readdir(folder).catch((error) => stopWithUsage(`${folder} cannot be read: ${error.code ?? error.message}.`));
  const cases = names.filter((name) => name.endsWith(".json")).toSorted();
  return cases.length > 0 ? cases : stopWithUsage(`${folder} holds no *.json file.`);
}

async function playInMemory() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { memoryStore } = await import("wavepoint/store/memory");
  return { play: (theCase) => runCase(theCase, async () => memoryStore()), async close() {} };
}

async function playOnFiles() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { filesystemStore } = await import("wavepoint/store/filesystem");
  const root = await mkdtemp(join(tmpdir(), "wavepoint-cases-"));
  return {
    play: async (theCase, name) => runCase(theCase, async () => filesystemStore(join(root, name))),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function playInChromium() {
  const { openPage } = await import("./corpus/chromium-page.mjs");
  const { page, close } = await openPage(fileURLToPath(new URL("../test/corpus/page.ts", import.meta.url)));
  return { play: (theCase, name) => page.evaluate(([value, database]) => window.playCase(value, database), [theCase, name]), close };
}

function withinTime(playing) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the case was not over after ${CASE_TIMEOUT_MS / 1_000} s`)), CASE_TIMEOUT_MS);
  });
  return Promise.race([playing, late]).finally(() => clearTimeout(timer));
}

const { folder, store } = readArguments();
const names = await listCases(folder);
const { readCase } = await import("../test/corpus/case.ts");
const player = await STORES[store]();
let failed = 0;

for (const name of names) {
  let differences;
  try {
    const theCase = readCase(JSON.parse(await readFile(join(folder, name), "utf8")));
    differences = await withinTime(player.play(theCase, `case-${name.replace(/[^A-Za-z0-9]+/g, "-")}`));
  } catch (error) {
    differences = [error instanceof Error ? error.message : String(error)];
  }
  if (differences.length > 0) {
    failed += 1;
    console.log(`FAILED ${name}: ${differences.join("; ").replaceAll("\n", " / ")}`);
  }
}

await player.close();
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
