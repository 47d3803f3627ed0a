import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { serveFolder } from "../../scripts/serve-folder.mjs";
import { buildOnce } from "../support/build-once.ts";
import { freePort } from "../support/free-port.ts";
import { startGuarded, type GuardedProcess } from "../support/guarded-process.ts";

/** Who serves the demo: any web space, below a path that is not the root, or the server of `npm start`. */
export type DemoServer = "web space" | "npm start";

/** The demo as it is shipped. */
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

const VITE = join(ROOT, "node_modules/vite/bin/vite.js");

function buildDemo(outDir: string): void {
  const { VITEST: _, ...environment } = process.env;
  execFileSync(process.execPath, [VITE, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "error"], {
    cwd: ROOT,
    env: { ...environment, NODE_ENV: "production" },
  });
}

/** Builds the demo as `npm start` does, and serves a copy of its own. */
export async function serveBuiltDemo(by: DemoServer = "web space"): Promise<BuiltDemo> {
  const { folder: outDir, remove } = buildOnce("demo", buildDemo);
  const base = by === "web space" ? "/a/deep/path/" : "/";
  const server = by === "web space" ? await serveFolder(outDir, base, await freePort()) : await previewFolder(outDir);
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
      remove();
    },
  };
}

/** The server that `npm start` ends with, in a process of its own. */
async function previewFolder(outDir: string): Promise<{ readonly origin: string; stop(): Promise<void>; start(): Promise<void> }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let server: GuardedProcess | undefined;
  const start = async (): Promise<void> => {
    // The folder is a way out of the test runner's own settings, which the configuration of Vite looks at.
    const variables = ["-u", "VITEST", process.execPath, VITE, "preview"];
    server = startGuarded("/usr/bin/env", [
      ...variables,
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--strictPort",
      "--outDir",
      outDir,
      ROOT,
    ]);
    server.stderr.resume();
    const isUp = (): Promise<boolean> =>
      fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await start();
  return {
    origin,
    start,
    async stop() {
      await server?.kill();
      server = undefined;
    },
  };
}

/** Notes everything a page should never do: errors, console output, refused content, requests to elsewhere. */
export async function watchForFaults(page: Page, address: string): Promise<string[]> {
  const faults: string[] = [];
  const { origin } = new URL(address);
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Browsers ask for one where a file names none, such as a picture that is opened alone.
    if (!message.location().url.endsWith("/favicon.ico")) faults.push(`console.${message.type()}: ${message.text()}`);
  });
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
