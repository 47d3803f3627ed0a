import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright";
import { build } from "vite";
import { CHROMIUM_ARGUMENTS } from "../../scripts/browser/arguments.mjs";
import { ensureChromium } from "../../scripts/browser.mjs";
import { newDirectory, removeDirectory } from "./data-directory.mjs";

const ENTRY = fileURLToPath(new URL("../browser/page.mjs", import.meta.url));

// Isolated pages get clocks of microseconds instead of tenths of milliseconds.
const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** A page in a real Chromium with the measurements of `browser/page.mjs`, bundled as for production, on a profile on the disk. */
export async function openPage() {
  const script = await bundle();
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.writeHead(200, { ...ISOLATION, "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A profile of its own: in the windows that a test driver opens by default, IndexedDB is kept in memory.
  const profile = newDirectory("chromium");
  const browser = await chromium.launchPersistentContext(profile, { executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "load" });
  return {
    version: browser.browser()?.version() ?? (await page.evaluate(() => /Chrome\/([\d.]+)/.exec(navigator.userAgent)[1])),
    measure: (name, options) => page.evaluate(([name, options]) => globalThis.measures[name](options), [name, options]),
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
      removeDirectory(profile);
    },
  };
}

async function bundle() {
  const { output } = await build({
    configFile: false,
    mode: "production",
    logLevel: "error",
    build: {
      write: false,
      minify: true,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { codeSplitting: false } },
    },
  });
  return output[0].code;
}
