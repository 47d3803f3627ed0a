import type { BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, expect } from "vitest";
import { serveBuiltPages, type BuiltPages } from "./built-pages.ts";
import { createProfile, startChrome, type Chrome, type Profile } from "./chrome.ts";
import { FAULT_PAGES } from "./fault-pages.ts";
import type { Testimony } from "./witness.ts";

/** The pages of the tests of faults, at an origin of this file's own, so that what they store is too. */
export interface PagesInChrome {
  readonly origin: string;
  /** What the pages told the witness. */
  readonly lines: readonly Testimony[];
  /** Opens the page of an entry in a new tab, and waits until its title says `ready`. Starts the browser where none runs. */
  open(entry: string, options?: { readonly origin?: string }): Promise<Page>;
  /** Loads it, once more, in a tab that is there. */
  load(page: Page, entry: string, options?: { readonly origin?: string }): Promise<void>;
  /** Ends the browser with SIGKILL. The next page is opened in another one, on the same profile. */
  kill(): Promise<void>;
}

const BUILD_MS = 90_000;
const READY_MS = 30_000;

let profile: Profile | undefined;
let chrome: Chrome | undefined;

/** The Chromium of the files that this process tests one after another: it ends with the process, and its profile is removed with all that the tests wrote. */
async function startOnce(): Promise<{ readonly context: BrowserContext }> {
  profile ??= createProfile();
  chrome ??= await startChrome(profile);
  return chrome;
}

async function kill(): Promise<void> {
  const killed = chrome;
  chrome = undefined;
  await killed?.kill();
}

/** Builds and serves the pages for the tests of this file, and takes them down after these. */
export function pagesInChrome(): PagesInChrome {
  let pages: BuiltPages;
  const opened: Page[] = [];

  beforeAll(async () => {
    pages = await serveBuiltPages({ entries: FAULT_PAGES });
  }, BUILD_MS);
  afterAll(async () => {
    await Promise.all(opened.map((page) => page.close().catch(() => undefined)));
    await pages.close();
  });

  async function openTab(): Promise<Page> {
    const { context } = await startOnce();
    // A process that Chromium kept in reserve may have been killed with another one.
    const page = await context.newPage().catch(() => context.newPage());
    opened.push(page);
    return page;
  }

  async function load(page: Page, entry: string, { origin = pages.origin }: { readonly origin?: string } = {}): Promise<void> {
    await page.goto(`${origin}/${entry}`);
    await expect.poll(() => page.title(), { timeout: READY_MS }).toBe("ready");
  }

  return {
    get origin() {
      return pages.origin;
    },
    get lines() {
      return pages.lines;
    },
    async open(entry, options) {
      const page = await openTab();
      await load(page, entry, options);
      return page;
    },
    load,
    kill,
  };
}
