import { chromium, type Browser, type BrowserContext, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium } from "../../../scripts/browser.mjs";
import { CHROMIUM_ARGUMENTS } from "../../../scripts/browser/arguments.mjs";
import { serveBuiltPages, type BuiltPages } from "../../support/built-pages.ts";

const POLICY = "default-src 'none'; script-src 'self'; worker-src 'self'";
const COUNT = process.env["WAVEPOINT_LONG"] === undefined ? 100 : 1_000;

let pages: BuiltPages;
let browser: Browser;
let context: BrowserContext;
let page: Page;

async function openPage(): Promise<Page> {
  const opened = await context.newPage();
  await opened.goto(`${pages.origin}/page`);
  await opened.waitForFunction(() => "workerTestPage" in globalThis);
  return opened;
}

beforeAll(async () => {
  pages = await serveBuiltPages({
    entries: { page: new URL("pages/page.ts", import.meta.url) },
    headers: { "content-security-policy": POLICY },
  });
  browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS, "--js-flags=--expose-gc"] });
  context = await browser.newContext();
  page = await openPage();
}, 90_000);
afterAll(async () => {
  await browser.close();
  await pages.close();
});

test("blocks that keep a worker busy leave the page its time, under a strict content security policy", { timeout: 120_000 }, async () => {
  const inWorker = await page.evaluate((count) => workerTestPage.work("worker", count), COUNT);
  const inPage = await page.evaluate((count) => workerTestPage.work("page", count), COUNT);
  expect([inWorker.status, inPage.status]).toEqual(["success", "success"]);
  expect(inPage.longTasks.length).toBeGreaterThan(inWorker.longTasks.length);
  expect(inWorker.views).toBeLessThan(COUNT);
  expect(await page.evaluate(() => workerTestPage.violations())).toEqual([]);
  if (process.env["WAVEPOINT_SHOW"]) process.stderr.write(`${JSON.stringify({ inWorker, inPage })}\n`);
});

test("runs without a holder stay neither in the page nor in the worker", { timeout: 120_000 }, async () => {
  const { page: inPage, worker } = await page.evaluate((count) => workerTestPage.letGo(count), COUNT);
  // The last one may still be on a stack.
  expect(inPage).toBeLessThanOrEqual(1);
  expect(worker).toBeLessThanOrEqual(2);
});

test("pages that share a worker see the same run, and one that closes leaves it to the others", async () => {
  const other = await openPage();
  const run = await page.evaluate(() => workerTestPage.startShared());
  expect(await other.evaluate((id) => workerTestPage.answerShared(id), run)).toBe("success");
  await page.waitForFunction(() => workerTestPage.sharedStatus() === "completed");
  await other.close();
  expect(await page.evaluate(() => workerTestPage.startShared())).not.toBe(run);
});

test("a page that is gone without a word leaves nothing behind in the worker that it shared", async () => {
  const other = await openPage();
  await page.evaluate(() => workerTestPage.startShared());
  await other.evaluate(async () => {
    await workerTestPage.startShared();
    workerTestPage.watchShared();
  });
  await page.waitForFunction(() => workerTestPage.watching() === 1);
  await other.close();
  await page.waitForFunction(() => workerTestPage.watching() === 0);
});
