import { chromium, type Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHROMIUM_ARGUMENTS } from "../../../scripts/browser/arguments.mjs";
import { findChromium } from "../../../scripts/browser.mjs";
import { serveBuiltPages, type BuiltPages } from "../../support/built-pages.ts";

let pages: BuiltPages;
let browser: Browser;

beforeAll(async () => {
  pages = await serveBuiltPages({ entries: { offline: new URL("pages/offline.ts", import.meta.url) } });
  browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] });
}, 90_000);
afterAll(async () => {
  await browser.close();
  await pages.close();
});

test("a page that has begun to write needs no network for anything that the store does", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${pages.origin}/offline`);
  await expect.poll(() => page.title()).toBe("ready");
  const atOnce = pages.scripts.length;
  await page.evaluate(() => offline.begin());
  expect(pages.scripts.length).toBe(atOnce);
  await context.setOffline(true);
  expect(await page.evaluate(() => offline.goOn())).toEqual({ journal: ["base", "2"], notes: ["draft.1"], runs: 1 });
});
