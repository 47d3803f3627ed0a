import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveFolder } from "../../scripts/serve-folder.mjs";
import { installPacked } from "./packed-project.ts";
import { listPublicEntries } from "./public-entries.ts";
import { ROOT } from "./source-files.ts";
import { sharedChrome } from "../support/shared-chrome.ts";

// Vite is there anyway. The others are installed by the long tier and by .ci/run. They have no lock file: registries lack some of their packages
// for other platforms, and `npm ci` refuses a lock file without those.
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const OTHERS = fileURLToPath(new URL("../bundlers/", import.meta.url));
if (IS_LONG && !existsSync(`${OTHERS}node_modules`)) {
  execFileSync("npm", ["install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], {
    cwd: OTHERS,
    stdio: "pipe",
  });
}
const hasOthers = existsSync(`${OTHERS}node_modules`);

const PLAYED = { asked: "To whom?", status: "success", outputs: { text: "Dear ADA" }, stored: ["completed"] };

const run = promisify(execFile);
let project: string;
let browser: Browser;

beforeAll(async () => {
  project = installPacked(new URL("../bundlers/project/", import.meta.url));
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  browser = await sharedChrome();
}, 120_000);
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
});

const bundle = (tool: string) => run(process.execPath, [`${OTHERS}bundle.mjs`, tool], { cwd: project });

/** What a wizard tells that is played in Chromium, from a folder of bundled files. */
async function playInPage(folder: string): Promise<unknown> {
  if (!existsSync(join(folder, "index.html"))) {
    const script = readdirSync(folder).find((name) => name === "page.js")!;
    writeFileSync(join(folder, "index.html"), `<!doctype html><title>loading</title><script type="module" src="./${script}"></script>`);
  }
  const server = await serveFolder(folder, "/app/");
  const page = await browser.newPage();
  try {
    await page.goto(`${server.origin}/app/`);
    await expect.poll(() => page.title()).not.toBe("loading");
    return JSON.parse(await page.title());
  } finally {
    await page.close();
    await server.stop();
  }
}

// Rollup and Vite's own bundler read a package alike, and Parcel takes long: they are for the long tier.
const OF_BROWSERS = ["vite", ...(hasOthers ? ["webpack", "esbuild"] : []), ...(hasOthers && IS_LONG ? ["rollup", "parcel"] : [])];

test.each(OF_BROWSERS)("%s bundles the packed package as it is, and a wizard runs in Chromium", { timeout: 120_000 }, async (tool) => {
  await bundle(tool);
  expect(await playInPage(join(project, "out", tool))).toEqual({ ...PLAYED, refused: "STORE_UNAVAILABLE" });
});

describe.skipIf(!hasOthers)("in Node", { timeout: 120_000 }, () => {
  test("esbuild makes one module, and a wizard runs on the filesystem store", async () => {
    await bundle("esbuild-node");
    // Away from the project, so that nothing but the bundle is found.
    const service = join(project, "out/esbuild-node/service.mjs");
    rmSync(join(project, "elsewhere"), { recursive: true, force: true });
    const { stdout } = await run(process.execPath, [service, join(project, "elsewhere")], { cwd: "/" });
    expect(JSON.parse(stdout)).toEqual(PLAYED);
  });

  test("Jest runs wizards side by side, as ES modules", async () => {
    const env = { ...process.env, NODE_OPTIONS: "--experimental-vm-modules" };
    const { stderr } = await run(process.execPath, [`${OTHERS}node_modules/jest/bin/jest.js`, "--rootDir", project], { cwd: project, env });
    expect(stderr).toContain("Tests:       1 passed, 1 total");
  });
});

test.each(["nodenext", "bundler"])("the types pass the strictest compiler without those of Node, found as %s", async (resolution) => {
  const compilerOptions = {
    target: "es2022",
    module: resolution === "bundler" ? "esnext" : "nodenext",
    moduleResolution: resolution,
    lib: ["es2022", "dom"],
    types: [],
    strict: true,
    skipLibCheck: false,
    // What the compiler brings along is not ours.
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  // What stands on Node, or on a package that the user installs beside this one.
  const needMore = [
    "wavepoint/node",
    "wavepoint/store/filesystem",
    "wavepoint/react",
    "wavepoint/vue",
    "wavepoint/svelte",
    "wavepoint/mcp",
    "wavepoint/mcp/client",
    "wavepoint/mcp/page",
    "wavepoint/server",
    "wavepoint/telemetry",
  ];
  const names = listPublicEntries().flatMap(({ name }) => (needMore.includes(name) ? [] : [name]));
  expect(names.length).toBeGreaterThan(10);
  writeFileSync(join(project, "types.ts"), names.map((name, i) => `export * as entry${i} from "${name}";\n`).join(""));
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
  expect(existsSync(join(project, "node_modules/@types/node"))).toBe(false);
  const compiled = await run(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`, "--singleThreaded", "-p", project]);
  expect(compiled.stdout).toBe("");
});
