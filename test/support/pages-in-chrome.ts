import type { BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, expect } from "vitest";
import { serveBuiltPages, type BuiltPages } from "./built-pages.ts";
import { createProfile, startChrome, type Chrome, type Profile } from "./chrome.ts";
import type { Testimony } from "./witness.ts";

/** Pages of the tests of one file, and a Chromium with a profile of its own that they are opened in. */
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

/** Builds and serves modules by name for the tests of this file, and takes all down after them. */
export function pagesInChrome(entries: Readonly<Record<string, URL>>): PagesInChrome {
  let pages: BuiltPages;
  let profile: Profile;
  let chrome: Chrome | undefined;

  beforeAll(async () => {
    pages = await serveBuiltPages({ entries });
    profile = createProfile();
  }, BUILD_MS);
  afterAll(async () => {
    await kill();
    profile.remove();
    await pages.close();
  });

  async function kill(): Promise<void> {
    const killed = chrome;
    chrome = undefined;
    await killed?.kill();
  }

  async function openTab(): Promise<Page> {
    chrome ??= await startChrome(profile);
    const { context }: { readonly context: BrowserContext } = chrome;
    // A process that Chromium kept in reserve may have been killed with another one.
    return context.newPage().catch(() => context.newPage());
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
