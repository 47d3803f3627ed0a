// @ts-check
// Measures the built demo in Chromium, as on an average phone: `node scripts/page-figures.mjs [folder]`.
import { execFileSync } from "node:child_process";
import { chromium } from "playwright";
import { CHROMIUM_ARGUMENTS } from "./browser/arguments.mjs";
import { findChromium } from "./browser.mjs";
import { serveFolder } from "./serve-folder.mjs";

/** A middling phone on a slow mobile network: processor four times slower, 150 ms there and back, 1.6 Mbit/s. */
const PHONE = { cpu: 4, latency: 150, throughput: (1.6 * 1024 * 1024) / 8 };
/** This machine, on the loopback interface. */
const HERE = { cpu: 1, latency: 0, throughput: -1 };
const ROUNDS = 3;
const LONG_TASK_MS = 50;

const [folder = "dist-demo"] = process.argv.slice(2);
if (process.argv.length < 3) execFileSync("npm", ["run", "build:demo"], { stdio: "ignore" });

const server = await serveFolder(folder, "/demo/");
const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] });

/** Notes paints, shifts and long tasks from the first moment of a page. */
function observe() {
  const seen = { shift: 0, paint: 0, largest: 0, tasks: /** @type {[number, number][]} */ ([]) };
  Object.assign(globalThis, { seen });
  /** @type {(type: string, note: (entry: any) => void) => void} */
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => note(entry))).observe({ type, buffered: true });
  watch("longtask", ({ startTime, duration }) => seen.tasks.push([startTime, duration]));
  watch("layout-shift", ({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value));
  watch("paint", ({ name, startTime }) => name === "first-contentful-paint" && (seen.paint = startTime));
  watch("largest-contentful-paint", ({ startTime }) => (seen.largest = startTime));
}

/** @param {typeof PHONE} device */
async function openPage({ cpu, latency, throughput }) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  await page.addInitScript(observe);
  const loaded = { bytes: 0, requests: 0 };
  cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
    loaded.bytes += encodedDataLength;
    loaded.requests += 1;
  });
  return { page, loaded, seen: () => page.evaluate(() => /** @type {any} */ (globalThis).seen), close: () => context.close() };
}

/**
 * From an empty browser to the first question.
 * @param {typeof PHONE} device
 */
async function measureFirst(device) {
  const { page, loaded, seen, close } = await openPage(device);
  await page.goto(`${server.origin}/demo/`, { waitUntil: "commit" });
  const start = page.locator("[data-start]").first();
  await start.waitFor();
  const gallery = await page.evaluate(() => performance.now());
  const atGallery = { ...loaded };
  await start.click();
  await page.locator(QUESTION).first().waitFor();
  const question = await page.evaluate(() => performance.now());
  const { paint, largest, shift, tasks } = await seen();
  await close();
  /** @type {(until: number) => number} */
  const blocked = (until) =>
    tasks.reduce((/** @type {number} */ sum, /** @type {[number, number]} */ [at, ms]) => sum + (at < until ? ms - LONG_TASK_MS : 0), 0);
  return { ...atGallery, paint, largest, gallery, question: question - gallery, blocked: blocked(question), shift };
}

/** A thousand blocks in the engine, and what the page feels of them. */
async function measureThousand() {
  const { page, seen, close } = await openPage(HERE);
  await page.goto(`${server.origin}/demo/#/workflow/take-soundings`);
  const start = page.locator("[data-start-run], form button[type=submit]").first();
  await start.waitFor();
  await page.waitForTimeout(500);
  await start.click();
  const from = await page.evaluate(() => performance.now());
  await page.getByText("the chart is drawn").first().waitFor({ timeout: 120_000 });
  const until = await page.evaluate(() => performance.now());
  const { tasks } = await seen();
  await close();
  const during = tasks.filter((/** @type {[number, number]} */ [at]) => at >= from).map((/** @type {[number, number]} */ [, ms]) => ms);
  return { took: until - from, longTasks: during.length, longest: Math.max(0, ...during) };
}

const QUESTION = "wavepoint-prompt form, form[data-pause]";

/** @type {(numbers: number[]) => number} */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

for (const [name, device] of /** @type {const} */ ([
  ["phone", PHONE],
  ["here", HERE],
])) {
  /** @type {Awaited<ReturnType<typeof measureFirst>>[]} */
  const rounds = [];
  for (let i = 0; i < ROUNDS; i += 1) rounds.push(await measureFirst(device));
  /** @type {(key: keyof typeof rounds[number]) => number} */
  const middle = (key) => median(rounds.map((round) => round[key]));
  console.log(`${name}: first load ${(middle("bytes") / 1000).toFixed(1)} kB in ${middle("requests")} requests`);
  console.log(
    `  first paint ${middle("paint").toFixed(0)} ms, largest ${middle("largest").toFixed(0)} ms, gallery ready ${middle("gallery").toFixed(0)} ms, ` +
      `first question ${middle("question").toFixed(0)} ms after Start, blocked ${middle("blocked").toFixed(0)} ms, shift ${middle("shift").toFixed(3)}`,
  );
}
const { took, longTasks, longest } = await measureThousand();
console.log(`a thousand blocks: ${took.toFixed(0)} ms, ${longTasks} long tasks in the page, the longest ${longest.toFixed(0)} ms`);
await browser.close();
await server.stop();
