import type { BrowserContext, Locator, Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { sharedChrome } from "../support/shared-chrome.ts";
import { serveBuiltDemo, watchForFaults, type BuiltDemo, type DemoServer } from "./built-demo.ts";

/** A page of the built demo, with what it should never have done. */
interface OpenPage {
  readonly page: Page;
  readonly faults: string[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The built demo and pages for the tests of a file. */
interface UsedDemo {
  demo(): BuiltDemo;
  /** Where the pages are: what they store is theirs alone. */
  context(): BrowserContext;
  /** A page that is still empty, and has never been used. */
  newPage(size?: Size): Promise<OpenPage>;
  /** The demo in a page; the first one of a test may have been used by the tests before, but keeps nothing of them. */
  openPage(hash?: string, size?: Size): Promise<OpenPage>;
}

/** The page of all examples. */
export const EXAMPLES = "#/examples";

const DESKTOP: Size = { width: 1280, height: 800 };

/** Builds and serves the demo before the tests of a file, and takes it and its pages down after them. */
export function useBuiltDemo(by?: DemoServer): UsedDemo {
  let demo: BuiltDemo;
  let context: BrowserContext;
  const pages: Page[] = [];
  /** Its process has the scripts compiled: the demo opens in a third of the time that a new page takes. */
  let kept: OpenPage | undefined;
  let isKeptTaken = false;

  beforeAll(async () => {
    demo = await serveBuiltDemo(by);
    // What moves without end is drawn without end, by the processor: a seventh of what these tests cost.
    context = await (await sharedChrome()).newContext({ reducedMotion: "reduce" });
  }, 120_000);

  afterEach(async () => {
    await context.setOffline(false);
    await Promise.all(pages.splice(0).map((page) => page.close()));
    if (isKeptTaken) await leave();
    isKeptTaken = false;
  });

  afterAll(async () => {
    await context.close();
    await demo.close();
  });

  async function newPage(size: Size = DESKTOP): Promise<OpenPage> {
    const page = await context.newPage();
    pages.push(page);
    page.setDefaultTimeout(40_000);
    await page.setViewportSize(size);
    const faults = await watchForFaults(page, demo.address);
    return { page, faults };
  }

  /** Has the page that is kept show nothing and know nothing. */
  async function leave(): Promise<void> {
    const { page, faults } = kept!;
    try {
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${demo.address}icon.svg`);
      await page.emulateMedia({ colorScheme: null });
      faults.length = 0;
    } catch {
      // One that crashed, or whose server is away, is of no use to the next test.
      kept = undefined;
      await page.close();
    }
  }

  async function takeKept(size: Size): Promise<OpenPage> {
    isKeptTaken = true;
    if (kept === undefined) {
      kept = await newPage(size);
      pages.pop();
    }
    await kept.page.setViewportSize(size);
    return kept;
  }

  return {
    demo: () => demo,
    context: () => context,
    newPage,
    async openPage(hash = EXAMPLES, size = DESKTOP) {
      const opened = isKeptTaken ? await newPage(size) : await takeKept(size);
      await opened.page.goto(demo.address + hash);
      return opened;
    },
  };
}

/** The button of the gallery that starts a workflow, as a selector. */
export function start(workflow: string): string {
  return `button[data-start="${workflow}"]`;
}

/** Starts a workflow that has inputs, with those that stand in its form. */
export async function begin(page: Page, workflow: string): Promise<void> {
  await page.locator(start(workflow)).click();
  await page
    .locator("wavepoint-prompt")
    .getByRole("button", { name: /^Start/ })
    .click();
}

/** The question that says this. */
export function question(page: Page, text: string): Locator {
  return page.locator("wavepoint-run form", { hasText: text });
}

/** Sends what stands in a question. */
export async function send(asked: Locator): Promise<void> {
  await asked.getByRole("button", { name: "Continue" }).click();
}

/** An output of a run that has ended, by its name in words. */
export function output(page: Page, name: string): Locator {
  return page.locator("wavepoint-run [part=values] > div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).locator("dd");
}

/** Resolves once the elements take Enter and Space for an answer: not at once where something new is shown. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.locator("[data-new]").first().waitFor({ state: "detached" });
}

/** Chooses from the menu of a run what is seldom done with it. */
export async function chooseMore(page: Page, choice: string): Promise<void> {
  await page.getByRole("button", { name: "More for this run" }).click();
  await page.getByRole("button", { name: choice }).click();
}

/** Which part of an element has the focus. */
export function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute("part") ?? null);
}

/** Opens a tool of the workshop, and gives the panel that it stands in. */
export async function openTool(page: Page, tool: "worker" | "faults" | "storage" | "editor" | "events"): Promise<Locator> {
  const tab = page.locator(`#tool-${tool}`);
  const open = async (): Promise<string | null> => {
    await tab.click();
    return tab.getAttribute("aria-selected");
  };
  // Where the page grows above it between press and release, that is no click, and people click again.
  await expect.poll(open).toBe("true");
  const panel = page.locator("#tool-panel");
  await panel.locator("> div").waitFor();
  return panel;
}
