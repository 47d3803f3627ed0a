import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { posix } from "node:path";
import type { BrowserContext, ConsoleMessage, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSite } from "../../scripts/site/make-site.mjs";
import { makeNotFound } from "../../scripts/site/not-found.mjs";
import { readImages } from "../../scripts/site/read-documents.mjs";
import { ROOT } from "../package/source-files.ts";
import { buildOnce } from "../support/build-once.ts";
import { sharedChrome } from "../support/shared-chrome.ts";

/** Below a path that is not the root, as many hosts serve it. */
const SITE = "/a/path/";
const BASE = `${SITE}docs/`;
const AXE = readFileSync(`${ROOT}node_modules/axe-core/axe.min.js`, "utf8");
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

const files = new Map<string, string | Uint8Array>([...makeSite(), ...readImages().map(({ path, bytes }) => [path, bytes] as const)]);
/** A page of the same origin that keeps nothing, and names an icon, which browsers would ask for. */
const BLANK = "blank.html";
files.set(BLANK, '<!doctype html><link rel="icon" href="data:,">');
const asked: string[] = [];
let server: Server;
let context: BrowserContext;
let page: Page;
let origin = "";

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const path = url.replace(BASE, "") || "index.html";
    asked.push(path);
    const content = files.get(path);
    if (content === undefined) response.writeHead(404, { "content-type": "text/html" }).end(makeNotFound(SITE));
    else response.writeHead(200, { "content-type": TYPES[posix.extname(path)] ?? "text/plain" }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  context = await (await sharedChrome()).newContext();
  page = await context.newPage();
}, 60_000);
afterAll(async () => {
  await context.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Look {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
}

/** Opens a page of the site, as someone who is there for the first time, hands it over, and expects that nothing went wrong in it. */
async function onPage(path: string, { width = 1280, colorScheme = "light" }: Look, use: (page: Page) => Promise<void>): Promise<void> {
  const faults: string[] = [];
  const noteError = ({ message }: Error): void => void faults.push(message);
  const noteLine = (line: ConsoleMessage): void => void faults.push(line.text());
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  page.on("pageerror", noteError).on("console", noteLine);
  try {
    await page.goto(origin + BASE + path);
    await use(page);
  } finally {
    page.off("pageerror", noteError).off("console", noteLine);
    await forget();
  }
  expect(faults).toEqual([]);
}

/** Removes what pages of the site keep. */
async function forget(): Promise<void> {
  await page.goto(`${origin}${BASE}${BLANK}`);
  await page.evaluate(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!);
  });
}

/** What is wrong with a page for people with disabilities, as far as a program can tell. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(options: object): Promise<{ readonly violations: readonly Violation[] }> };
    };
    return (await axe.run({ resultTypes: ["violations"] })).violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html }) => ({ html })),
    }));
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const LOOKS: readonly (readonly [path: string, look: Required<Look>])[] = [
  ["index.html", { width: 1440, colorScheme: "light" }],
  ["guide/wizards.html", { width: 360, colorScheme: "dark" }],
  ["api/registry.html", { width: 1440, colorScheme: "dark" }],
  ["errors.html", { width: 768, colorScheme: "light" }],
];

describe("what is accessible", () => {
  test.each(LOOKS)("%s, %o", async (path, look) => {
    await onPage(path, look, async (page) => {
      expect(await violationsOf(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(overflow).toBe(0);
    });
  });

  test("axe finds a mistake", async () => {
    await onPage("index.html", {}, async (page) => {
      await page.evaluate(() => document.querySelector("label")!.remove());
      await page.evaluate(() => document.querySelector("#query")!.removeAttribute("placeholder"));
      expect((await violationsOf(page)).join()).toContain("label");
    });
  });
});

describe("an address that leads nowhere", () => {
  test.each(["gone.html", "guide/gone/further/gone.html"])("%s shows a page that leads to the documents and the demo", async (path) => {
    await page.setViewportSize({ width: 320, height: 800 });
    expect((await page.goto(`${origin}${BASE}${path}`))?.status()).toBe(404);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "demo" }).getAttribute("href")).toBe(SITE);
    await page.getByRole("link", { name: "documentation" }).click();
    await page.waitForURL(origin + BASE);
    await page.locator("#query").waitFor();
  });

  test("a path that could not be served is refused when the site is built", () => {
    expect(makeNotFound("/")).toContain('href="/docs/"');
    for (const base of ["", "wavepoint/", "/wavepoint", '/">/', "//elsewhere.example/"])
      expect(() => makeNotFound(base)).toThrow("SITE_BASE");
  });
});

describe("the search", () => {
  test("is loaded on first use, finds a page by keyboard alone, and leads there", async () => {
    asked.length = 0;
    await onPage("guide/node.html", {}, async (page) => {
      expect(asked).not.toContain("search.json");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("saveDraft");
      await page.locator("#found a").first().waitFor();
      expect(asked).toContain("search.json");
      expect(await page.locator("#found-count").textContent()).toMatch(/^\d+ results?$/);
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/savedraft/i);
    });
  });

  test("finds the sections that have most of the words, where none has all", async () => {
    await onPage("index.html", {}, async (page) => {
      await page.locator("#query").fill("upload a photo docker");
      await page.locator("#found a", { hasText: "Files" }).waitFor();
    });
  });

  test.each([360, 768, 1280])("shows what it found above the samples of the page, %i pixels wide", async (width) => {
    await onPage("index.html", { width }, async (page) => {
      await page.locator("#query").fill("styling");
      await page.locator("#found a").first().waitFor();
      const covered = await page.evaluate(() => {
        const found = document.querySelector("#found")!;
        const { left, right, top, bottom } = found.getBoundingClientRect();
        const heights = Array.from({ length: 9 }, (_, i) => top + ((i + 0.5) / 9) * (Math.min(bottom, innerHeight) - top));
        return heights.filter((y) => !found.contains(document.elementFromPoint((left + right) / 2, y)));
      });
      expect(covered).toEqual([]);
    });
  });

  test("says when there is nothing, and Escape closes it", async () => {
    await onPage("index.html", {}, async (page) => {
      await page.locator("#query").fill("zzzyxx");
      await page.getByText("Nothing found.").first().waitFor();
      await page.keyboard.press("Escape");
      expect(await page.locator("#found").isHidden()).toBe(true);
    });
  });
});

test("on a phone the tree opens over the page, closes by Escape and by its button, and says which page this is", async () => {
  await onPage("forms.html", { width: 360 }, async (page) => {
    const here = page.locator("#tree [aria-current=page]");
    expect(await here.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Contents" }).click();
    expect(await here.textContent()).toBe("Forms and fields");
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await here.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    expect(await here.isVisible()).toBe(false);
    // It leads to the sections of this page too, which have no room beside the text.
    await page.getByRole("button", { name: "Contents" }).click();
    await page.locator("#tree").getByRole("link", { name: "Review page" }).click();
    expect(new URL(page.url()).hash).toBe("#review-page");
    expect(await here.isVisible()).toBe(false);
  });
});

test("a page is read in the colours that were chosen in the demo", async () => {
  await onPage("index.html", {}, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.evaluate(() => localStorage.setItem("wavepoint-demo:theme", "dark"));
    await page.reload();
    expect(await ground()).not.toBe(light);
  });
});

test("the switch turns the theme here, and it is the other one after a reload", async () => {
  await onPage("index.html", { colorScheme: "light" }, async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    await page.getByRole("button", { name: "Dark theme" }).click();
    await page.reload();
    expect(await theme()).toBe("dark");
    await page.getByRole("button", { name: "Light theme" }).click();
    // What the system says is not kept.
    expect(await theme()).toBeUndefined();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});

test("samples for several frameworks are tabs, and the one that was chosen is shown on the next visit", async () => {
  await onPage("frameworks.html", {}, async (page) => {
    await page.getByRole("tab", { name: "React" }).first().focus();
    await page.keyboard.press("ArrowRight");
    const vue = page.getByRole("tabpanel", { name: "Vue" }).first();
    expect(await vue.isVisible()).toBe(true);
    expect(await page.getByRole("tabpanel", { name: "React" }).first().isVisible()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    expect(await vue.isVisible()).toBe(true);
  });
});

test("nothing moves when what scripts fill in comes late, on a phone", async () => {
  await onPage("index.html", { width: 360 }, async (page) => {
    await page.route("**/site.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.goto(`${origin}${BASE}frameworks.html`);
    await page.getByRole("tab", { name: "React" }).first().waitFor();
    const moved = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const sum = (list: PerformanceObserverEntryList) =>
            list.getEntries().reduce((all, entry) => all + (entry as unknown as { readonly value: number }).value, 0);
          new PerformanceObserver((list) => resolve(sum(list))).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 300);
        }),
    );
    expect(moved).toBeLessThan(0.02);
  });
});

describe("a sample that runs on its page", () => {
  let folder: ReturnType<typeof buildOnce>;
  beforeAll(async () => {
    folder = buildOnce("docs-live", (to) => {
      const code = `import { buildLive } from "./scripts/site/live-bundle.mjs"; await buildLive(${JSON.stringify(to)});`;
      execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: ROOT, env: { ...process.env, NODE_ENV: "production" } });
    });
    for (const name of readdirSync(`${folder.folder}/live`))
      files.set(`live/${name}`, readFileSync(`${folder.folder}/live/${name}`, "utf8"));
  }, 60_000);
  afterAll(() => folder.remove());

  test("goes on after a reload", async () => {
    await onPage("index.html", {}, async (page) => {
      await page.getByRole("button", { name: "Run it here" }).click();
      const stage = page.locator(".stage");
      await stage.getByRole("textbox", { name: "What is your name?" }).fill("Ada");
      await stage.getByRole("button", { name: "Continue" }).click();
      await stage.getByText("Tea or coffee, Ada?").first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.reload();
      await stage.getByText("Tea or coffee, Ada?").first().waitFor();
      await stage.getByRole("button", { name: "Start over" }).click();
      await stage.getByRole("textbox", { name: "What is your name?" }).waitFor();
    });
  });
});
