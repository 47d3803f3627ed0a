import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { serveFolder } from "../../scripts/serve-folder.mjs";

/** The demo as it is shipped, served below a path that is not the root. */
export interface BuiltDemo {
  readonly address: string;
  /** Has the server refuse every connection, until it is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Puts another version of the page in the place of the one that is served. */
  publishAnother(): void;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the demo as `npm start` does, into a folder of its own, and serves it. */
export async function serveBuiltDemo(): Promise<BuiltDemo> {
  const outDir = mkdtempSync(join(tmpdir(), "wavepoint-demo-"));
  const { VITEST: _, ...environment } = process.env;
  execFileSync(
    process.execPath,
    [join(ROOT, "node_modules/vite/bin/vite.js"), "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "error"],
    { cwd: ROOT, env: { ...environment, NODE_ENV: "production" } },
  );
  const base = "/a/deep/path/";
  const server = await serveFolder(outDir, base);
  return {
    address: server.origin + base,
    stop: server.stop,
    start: server.start,
    publishAnother() {
      const worker = join(outDir, "service-worker.js");
      writeFileSync(worker, readFileSync(worker, "utf8").replace(/"version":"\w{8}/, '"version":"00000000'));
    },
    async close() {
      await server.stop();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}

/** Notes everything a page should never do: errors, console output, refused content, requests to elsewhere. */
export async function watchForFaults(page: Page, address: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const { origin } = new URL(address);
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => faults.push(`console.${message.type()}: ${message.text()}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request: ${request.url()}`);
  });
  await page.exposeFunction("noteRefused", (what: string) => void faults.push(`refused: ${what}`));
  await page.addInitScript(() => {
    const { noteRefused } = globalThis as unknown as { noteRefused(what: string): void };
    addEventListener("securitypolicyviolation", (event) => noteRefused(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return faults;
}

/** Presses Tab until the element with this selector has the focus, as someone without a mouse does. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`Tab never reached ${selector}.`);
}
