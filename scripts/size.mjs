// @ts-check
// Measures what a user waits for until a page of the built package asks its first question, and fails above the budget: `npm run size`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright";
import { CHROMIUM_ARGUMENTS } from "./browser/arguments.mjs";
import { findChromium } from "./browser.mjs";
import { BUDGETS, REMOTE_BUDGET, WORKER_BUDGET } from "./size/budgets.mjs";
import { buildPage, PAGES, REMOTE_PAGE, WORKER_PAGE } from "./size/pages.mjs";

const KILOBYTE = 1_000;
const GZIP_LEVEL = 9;
const HEAVIEST_COUNT = 25;
const RESPONSE_MS = 100;
const ROUNDS = 3;

/** @typedef {Awaited<ReturnType<typeof buildPage>>[number]} Chunk */

/**
 * What a page loads until its first question: its entry, and what that imports.
 * @param {readonly Chunk[]} chunks
 * @returns {readonly Chunk[]}
 */
function loadedByThen(chunks) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  // A set may grow while it is walked: what is added is visited too.
  for (const { imports } of loaded) {
    for (const name of imports) {
      const chunk = byName.get(name);
      if (chunk) loaded.add(chunk);
    }
  }
  return [...loaded];
}

/** @param {Chunk} chunk */
const gzipped = ({ code }) => gzipSync(code, { level: GZIP_LEVEL }).length;

/**
 * The heaviest modules of the package, by the size of their code before it is minified.
 * @param {readonly Chunk[]} chunks
 */
function listHeaviest(chunks) {
  return chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .map(([path, { renderedLength }]) => ({ path: path.replace(/^.*\/(?=dist\/|node_modules\/)/, ""), bytes: renderedLength }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, HEAVIEST_COUNT);
}

/** @returns {Promise<import("playwright").Browser | undefined>} */
async function launchBrowser() {
  try {
    return await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] });
  } catch {
    console.log("There is no Chromium here: requests are counted by the module graph, and no time is measured.");
    return undefined;
  }
}

/**
 * Opens a page behind a server that takes its time, over HTTP/1.1: how long until the question stands, and for how many files it asked.
 * @param {import("playwright").Browser} browser
 * @param {string} folder
 */
async function openSlowly(browser, folder) {
  let requests = 0;
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const isPage = pathname === "/";
    if (pathname.endsWith(".js")) requests += 1;
    const type = isPage ? "text/html" : "text/javascript";
    setTimeout(() => {
      if (!isPage && !pathname.endsWith(".js")) return response.writeHead(404).end();
      response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
      return response.end(gzipSync(readFileSync(join(folder, isPage ? "index.html" : pathname))));
    }, RESPONSE_MS);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    await page.goto(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
    const askedAt = await page.waitForFunction(() => Reflect.get(globalThis, "askedAt"));
    return { ms: Number(await askedAt.jsonValue()), requests };
  } finally {
    await context.close();
    server.close();
  }
}

const root = mkdtempSync(join(tmpdir(), "wavepoint-size-"));

/**
 * Builds a page, measures it, and says how it stands.
 * @param {string} name
 * @param {{ readonly code: string, readonly budget: { readonly kilobytes: number, readonly requests: number }, readonly browser?: import("playwright").Browser | undefined }} page
 */
async function measurePage(name, { code, budget, browser }) {
  const folder = mkdtempSync(join(root, "page-"));
  const loaded = loadedByThen(await buildPage(folder, code));
  const kilobytes = loaded.reduce((sum, chunk) => sum + gzipped(chunk), 0) / KILOBYTE;
  const opened = [];
  for (let round = 0; browser && round < ROUNDS; round++) opened.push(await openSlowly(browser, join(folder, "dist")));
  const wrong = opened.find(({ requests }) => requests !== loaded.length);
  if (wrong) throw new Error(`${name}: the page asked for ${wrong.requests} files, and ${loaded.length} were counted.`);
  const ms = opened.map((one) => one.ms).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  const isTooLarge = kilobytes > budget.kilobytes || loaded.length > budget.requests;
  const size = `${kilobytes.toFixed(1)} of ${budget.kilobytes} kB (minified, gzip) in ${loaded.length} of ${budget.requests} requests`;
  const time = ms === undefined ? "" : `, asks after ${Math.round(ms)} ms at ${RESPONSE_MS} ms a response`;
  console.log(`${isTooLarge ? "TOO LARGE " : ""}${name}: ${size}${time}`);
  if (!isTooLarge) return;
  process.exitCode = 1;
  for (const { path, bytes } of listHeaviest(loaded))
    console.log(`  heavy: ${path} ${(bytes / KILOBYTE).toFixed(1)} kB before minification`);
}

const browser = await launchBrowser();
try {
  for (const [name, code] of Object.entries(PAGES)) {
    await measurePage(name, { code, budget: BUDGETS[/** @type {keyof typeof BUDGETS} */ (name)], browser });
  }
  await measurePage("executor in a worker, for the page", { code: WORKER_PAGE, budget: WORKER_BUDGET });
  await measurePage("executor of a server, for the page", { code: REMOTE_PAGE, budget: REMOTE_BUDGET });
} finally {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
}
