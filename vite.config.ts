import { playwright } from "@vitest/browser-playwright";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defaultClientConditions, defaultServerConditions, type PluginOption } from "vite";
import { defineConfig } from "vitest/config";
import { CHROMIUM_ARGUMENTS } from "./scripts/browser/arguments.mjs";
import { findChromium } from "./scripts/browser.mjs";
import { offlinePage } from "./scripts/offline-page.mjs";
import { workflowModules } from "./scripts/workflow-modules.ts";
import { BROWSERS_MAY_DIFFER } from "./test/browsers-may-differ.ts";
import { END_TO_END } from "./test/end-to-end.ts";
import { ON_IMITATED_DATABASE, OWN_PROCESS } from "./test/own-process.ts";
import { bundledModules } from "./test/support/bundled-modules.ts";

// Only tests need a browser; building and serving the page must work on a machine without one.
const isTesting = process.env.VITEST !== undefined;
const launchOptions = isTesting ? { executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] } : {};

const sequence = isTesting ? { sequencer: (await import("./test/support/long-files-first.ts")).LongFilesFirst } : {};

/** What compiles the components of tests. */
async function components(): Promise<PluginOption[]> {
  if (!isTesting) return [];
  const { svelte } = await import("@sveltejs/vite-plugin-svelte");
  return svelte({
    configFile: false,
    dynamicCompileOptions: ({ filename }) => (filename.includes(".async.") ? { experimental: { async: true } } : {}),
  });
}

const SOURCE = "wavepoint:source";
const FAULTS = "test/faults/**";
const INSTALLED = "**/node_modules/**";
const ELSEWHERE = ["test/**/*.browser.test.ts", "test/**/*.dom.test.ts", FAULTS, INSTALLED];
const BUILDS = ["test/support/builds-of-this-run.ts"];
// One more than cores: many of these tests wait for processes and browsers that they started.
const WAITING_WORKERS = availableParallelism() + 1;
const IN_NODE = {
  environment: "node",
  globalSetup: BUILDS,
  setupFiles: ["test/support/guard-state.ts", "test/support/expect-lit-in-dev-mode.ts"],
  maxWorkers: WAITING_WORKERS,
};
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const HAS_IMITATIONS = IS_LONG || process.env.WAVEPOINT_IMITATIONS !== undefined;
const COPIED = "demo/public";

export default defineConfig({
  // Tests and the demo import the package by its public names and run from its sources.
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  // Served from any path, and without "data:" addresses, which the page's content security policy refuses.
  base: "./",
  publicDir: COPIED,
  plugins: [
    workflowModules(),
    offlinePage({ source: "demo/offline/service-worker.ts", files: readdirSync(COPIED).map((file) => `${COPIED}/${file}`) }),
  ],
  // Its parts are loaded when they are needed, like those of the page.
  worker: {
    format: "es",
    // What any run needs at once in one file; patterns, templates, times and the like come with the first run that has them.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "engine", tags: ["$initial"] }] } } },
  },
  build: {
    outDir: "dist-demo",
    assetsInlineLimit: 0,
    target: "es2023",
    // The largest, a survey library that one example shows, loads with that example.
    chunkSizeWarningLimit: 1_500,
    // What the page needs at once in one file, the texts of its workflows in another; the rest in parts.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "page", tags: ["$initial"] },
            { name: "texts", test: /\.yaml\?raw$/ },
          ],
        },
      },
      // Directives of a framework's server mean nothing in a page; libraries carry them.
      onLog: (level, log, next) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : next(level, log)),
    },
  },
  // Found at once instead of on first use: a dependency that turns up in the middle of a test run reloads its pages.
  optimizeDeps: {
    include: [
      "@huggingface/jinja",
      "@noble/hashes/sha2.js",
      "@noble/hashes/utils.js",
      "devalue",
      "idb",
      "immer",
      "lit-html",
      "lit-html/directives/guard.js",
      "lit-html/directives/repeat.js",
      "lit-html/directives/until.js",
      "re2js",
      "yaml",
      "zod",
      "zod/mini",
    ],
  },
  test: {
    setupFiles: ["test/support/quiet-console.ts"],
    sequence,
    // What hangs fails all the same; a busy machine alone fails nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Vitest leaves one core for itself, and of two that is half: its own work is little.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    coverage: {
      provider: "v8",
      include: ["src/**"],
      reporter: ["text-summary", "html"],
      thresholds: { "src/core/**": { lines: 90, statements: 90, functions: 90, branches: 90 } },
    },
    projects: [
      {
        extends: true,
        plugins: await components(),
        test: {
          ...IN_NODE,
          name: "node",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...OWN_PROCESS, ...END_TO_END, ...ELSEWHERE],
        },
      },
      {
        extends: true,
        test: {
          ...IN_NODE,
          name: "node-alone",
          include: [...OWN_PROCESS],
          exclude: [...ELSEWHERE, ...(HAS_IMITATIONS ? [] : ON_IMITATED_DATABASE)],
        },
      },
      {
        extends: true,
        test: {
          ...IN_NODE,
          name: "end-to-end",
          isolate: false,
          include: [...END_TO_END],
        },
      },
      {
        extends: true,
        plugins: await components(),
        test: {
          name: "dom",
          environment: "happy-dom",
          // Each file leaves an empty document; the elements and their engine are loaded once.
          isolate: false,
          maxWorkers: WAITING_WORKERS,
          include: ["test/**/*.dom.test.ts"],
          setupFiles: ["test/support/expect-lit-in-dev-mode.ts"],
        },
      },
      {
        extends: true,
        plugins: [bundledModules()],
        optimizeDeps: { include: ["axe-core", "fast-check", "lit-html"] },
        test: {
          name: "chromium",
          globalSetup: BUILDS,
          // A few pages load the engine once each, and share the files between them; they wait for keys and clocks more than they work.
          isolate: false,
          maxWorkers: WAITING_WORKERS,
          setupFiles: ["test/support/expect-lit-in-dev-mode.ts"],
          // Pages know no environment.
          provide: { isLong: IS_LONG },
          // After the tests in Node: these measure what a page draws and how soon it answers.
          sequence: { groupOrder: 1 },
          include: ["test/**/*.browser.test.ts", ...(IS_LONG ? ["test/**/*.test.ts"] : BROWSERS_MAY_DIFFER)],
          exclude: ["test/**/*.node.test.ts", "test/**/*.dom.test.ts", FAULTS, INSTALLED],
          browser: {
            enabled: true,
            headless: true,
            ui: false,
            screenshotFailures: false,
            api: { host: "127.0.0.1" },
            provider: playwright({ launchOptions }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        extends: true,
        test: {
          // Processes and whole browsers are killed here: after everything else, and in the long form one file at a time.
          name: "faults",
          environment: "node",
          // Each starts and ends processes of its own; what builds pages and drives browsers is loaded once.
          isolate: IS_LONG,
          globalSetup: BUILDS,
          include: ["test/faults/**/*.node.test.ts"],
          // They wait for leases and deaths more than they work.
          maxWorkers: IS_LONG ? 1 : WAITING_WORKERS + 1,
          sequence: { groupOrder: 2 },
          testTimeout: IS_LONG ? 3_600_000 : 180_000,
        },
      },
    ],
  },
});
