import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { pagesInChrome } from "../support/pages-in-chrome.ts";

const pages = pagesInChrome();
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const RELOADS = IS_LONG ? 20 : 2;
const TABS = IS_LONG ? 10 : 2;
const PATIENCE_MS = 120_000;

async function open(store: string): Promise<Page> {
  return pages.open(`typist#${store}`);
}

/** Lets the page be left, and waits for the one that comes in its place. */
async function leave(page: Page, go: () => Promise<void>): Promise<void> {
  await Promise.all([page.waitForEvent("load"), go()]);
  await expect.poll(() => page.title()).toBe("ready");
}

const shownIn = (page: Page): Promise<unknown> => page.evaluate(() => typist.shown());

describe.each(["plain", "encrypted"])("what was typed in the moment before is there again, in a store that is %s:", (store) => {
  test(
    "after the page was loaded again",
    async () => {
      const page = await open(store);
      for (let trial = 0; trial < RELOADS; trial += 1) {
        const text = `Ada ${trial}`;
        // Every other time the page itself began the run, and nothing was ever typed in it.
        if (trial % 2 === 1) await page.evaluate(() => typist.askAnew());
        await leave(page, () => page.evaluate((typed) => typist.typeAndGo(typed), text));
        expect(await shownIn(page)).toBe(text);
      }
      await page.close();
    },
    PATIENCE_MS,
  );

  test(
    "after another page, and after the tab was closed",
    async () => {
      for (let trial = 0; trial < TABS; trial += 1) {
        const text = `Alan ${trial}`;
        const page = await open(store);
        if (trial % 2 === 0) {
          await page.evaluate((typed) => typist.typeAndGo(typed, "about:blank"), text);
          await page.waitForURL("about:blank");
        } else await page.evaluate((typed) => typist.type(typed), text);
        await page.close();
        const next = await open(store);
        expect(await shownIn(next)).toBe(text);
        await next.close();
      }
    },
    PATIENCE_MS,
  );
});
