import { playwright } from "@vitest/browser-playwright";
import { readdirSync } from "node:fs";
import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { CHROMIUM_ARGUMENTS } from "./scripts/browser/arguments.mjs";
import { findChromium } from "./scripts/browser.mjs";
import { offlinePage } from "./scripts/offline-page.mjs";
import { workflowModules } from "./scripts/workflow-modules.ts";

// Only tests need a browser; building and serving the page must work on a machine without one.
const launchOptions = process.env.VITEST === undefined ? {} : { executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] };

const SOURCE = "wavepoint:source";
const FAULTS = "test/faults/**";
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
    // What any run needs soon in one file: a hundred small ones, one after another, keep somebody on a slow network waiting.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "engine", test: /\/src\/(?:core|store|create-executor)/ }] } } },
  },
  build: {
    outDir: "dist-demo",
    assetsInlineLimit: 0,
    target: "es2023",
    chunkSizeWarningLimit: 1_000,
    // What the page needs at once in one file; the rest in parts.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
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
      "lit-html/directives/repeat.js",
      "lit-html/directives/until.js",
      "re2js",
      "yaml",
      "zod",
    ],
  },
  test: {
    setupFiles: ["test/support/quiet-console.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "html"] },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.browser.test.ts", "test/**/*.dom.test.ts", FAULTS],
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "happy-dom",
          include: ["test/**/*.dom.test.ts"],
          setupFiles: ["test/demo/expect-lit-in-dev-mode.ts"],
        },
      },
      {
        extends: true,
        optimizeDeps: { include: ["axe-core", "fast-check", "lit-html"] },
        test: {
          name: "chromium",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.node.test.ts", "test/**/*.dom.test.ts", FAULTS],
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
          // Processes and whole browsers are killed here: one file at a time, and after everything else.
          name: "faults",
          environment: "node",
          include: ["test/faults/**/*.node.test.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: process.env.WAVEPOINT_LONG === undefined ? 180_000 : 3_600_000,
        },
      },
    ],
  },
});
