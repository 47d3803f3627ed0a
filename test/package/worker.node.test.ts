import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveBuiltPages, type BuiltPages } from "../support/built-pages.ts";
import { listPublicEntries } from "./public-entries.ts";
import { ROOT } from "./source-files.ts";
import { sharedChrome } from "../support/shared-chrome.ts";

const WIZARD = `
name: greeting
blocks:
  - id: name
    type: GetInput
    inputs: { prompt: Name?, validation_pattern: "^[A-Z]" }
  - id: sure
    type: ConfirmOperation
    inputs: { message: Sure? }
    depends_on: [name]
  - id: text
    type: PopulateTemplate
    inputs: { template: "Hello {{ name }}", variables: { name: "\${blocks.name.outputs.input_value}" } }
    depends_on: [sure]
outputs:
  text: \${blocks.text.rendered}
`;

// Only Node can load these.
const OF_NODE: ReadonlySet<string> = new Set(["wavepoint/node", "wavepoint/store/filesystem", "wavepoint/store/sqlite"]);
// What draws needs something to draw on; Vue, and zod, on which MCP stands, make globals of their own.
const OF_PAGES: ReadonlySet<string> = new Set([
  "wavepoint/dashboard",
  "wavepoint/elements",
  "wavepoint/vue",
  "wavepoint/mcp",
  "wavepoint/mcp/client",
  "wavepoint/server",
]);
const entries = listPublicEntries().filter(({ name }) => !OF_NODE.has(name) && !OF_PAGES.has(name));
const scriptOf = (name: string) => `entry-${name.replaceAll("/", "-")}`;

let pages: BuiltPages;
let page: Page;

beforeAll(async () => {
  const sources = entries.map(({ name, source }) => [scriptOf(name), `${ROOT}${source}`]);
  pages = await serveBuiltPages({
    entries: { worker: new URL("pages/worker.ts", import.meta.url), ...(Object.fromEntries(sources) as Record<string, string>) },
    files: {
      "import-in-worker.mjs": readFileSync(`${ROOT}test/package/import-in-worker.mjs`, "utf8"),
      "watch-globals.mjs": readFileSync(`${ROOT}test/package/watch-globals.mjs`, "utf8"),
      "careless.js": "export const seen = typeof document; navigator?.onLine; globalThis.leak = 1;",
    },
  });
  page = await (await sharedChrome()).newPage();
  await page.goto(`${pages.origin}/worker`);
}, 90_000);
afterAll(async () => {
  await page.close();
  await pages.close();
});

test("a worker runs a wizard on IndexedDB, and the page answers it by messages", async () => {
  const news = await page.evaluate(([yaml, answers]) => workerPage.play(yaml, answers), [WIZARD, { name: "Ada", sure: "yes" }] as const);
  expect(news).toMatchObject({ ended: { status: "success", outputs: { text: "Hello Ada" } } });
  expect(await page.evaluate(() => workerPage.stored())).toEqual(["completed"]);
});

describe("importing a public entry in a worker", () => {
  test.each(entries)("$name reads and makes no global", async ({ name }) => {
    const { names, made, read } = await page.evaluate((module) => workerPage.importApart(module), `/${scriptOf(name)}.js`);
    expect(names).not.toEqual([]);
    expect({ made, read }).toEqual({ made: [], read: [] });
  });

  test("a module that does touch globals is found out", async () => {
    const { made, read } = await page.evaluate((module) => workerPage.importApart(module), "/careless.js");
    expect({ made, read }).toEqual({ made: ["leak"], read: ["document", "navigator"] });
  });
});
