import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { serveBuiltPages, type BuiltPages } from "../support/built-pages.ts";
import { createProfile, startChrome, type Chrome, type Profile } from "../support/chrome.ts";
import { FAULT_PAGES } from "../support/fault-pages.ts";

const SHAPE = { rounds: 2, parallel: 1, delayMs: 1 };

let pages: BuiltPages;
let profile: Profile;
let chrome: Chrome | undefined;

beforeAll(async () => {
  pages = await serveBuiltPages({ entries: FAULT_PAGES });
});
afterAll(() => pages.close());
beforeEach(() => {
  profile = createProfile();
});
afterEach(async () => {
  await chrome?.kill();
  profile.remove();
});

/** Opens the page, in a Chromium that was just started or in the one that is there. Gives the run that the page found or started, if any. */
async function visit(onReset?: "accept"): Promise<string | undefined> {
  chrome ??= await startChrome(profile);
  const page = await chrome.context.newPage();
  await page.goto(`${pages.origin}/long-run`);
  await expect.poll(() => page.title()).toBe("ready");
  const { run } = await page.evaluate(([shape, onReset]) => longRun.open("wizard", shape, onReset), [SHAPE, onReset] as const);
  await page.close();
  return run;
}

/** Ends Chromium in good order. */
async function close(): Promise<void> {
  await chrome?.close();
  chrome = undefined;
}

test("D16: a profile that comes back without its databases is refused with STORE_RESET, until that is accepted", async () => {
  const run = await visit();
  expect(run).toMatch(/^run_/);
  expect(await visit()).toBe(run);
  await close();

  const databases = join(profile.path, "Default", "IndexedDB");
  expect(existsSync(databases)).toBe(true);
  rmSync(databases, { recursive: true });

  expect(await visit()).toBeUndefined();
  await close();
  expect(await visit()).toBeUndefined();
  const anew = await visit("accept");
  expect(anew).toMatch(/^run_/);
  expect(anew).not.toBe(run);
  expect(await visit()).toBe(anew);
});
