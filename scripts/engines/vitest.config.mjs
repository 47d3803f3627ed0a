// @ts-check
// The tests of stores, tabs and elements in browsers of other makers. `npm run test:engines` runs them engine by engine.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import base from "../../vite.config.ts";
import { findFirefox, findWebKit } from "./find-engines.mjs";
import { LEFT_OUT } from "./left-out.mjs";
import { firefoxProvider } from "./firefox-provider.mjs";
import { webKitProvider } from "./webkit-provider.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What is tried in every engine: all that depends on the browser. */
const BROWSER_TESTS = ["test/store/indexeddb.test.ts", "test/store/indexeddb/*.test.ts", "test/browser/**/*.test.ts"];
const NOT_IN_A_BROWSER = ["test/**/*.node.test.ts", "test/**/*.dom.test.ts"];
/** Other engines are slower to start, and so are their stores. */
const TIMEOUT_MS = 60_000;

const LONGEST_MS = 600_000;
/** How long a test looks for what is about to come. */
const PATIENCE_MS = 10_000;

const firefox = findFirefox();
const webkit = findWebKit();

/**
 * @param {"firefox" | "webkit"} browser
 * @param {any} provider
 * @param {boolean} headless
 * @returns {import("vitest/config").TestProjectInlineConfiguration}
 */
function browserProject(browser, provider, headless) {
  return {
    extends: true,
    // A part of the test runner that must be there once.
    optimizeDeps: { include: ["fast-check"], exclude: ["@vitest/browser/locators"] },
    test: {
      name: browser,
      include: BROWSER_TESTS,
      exclude: [...NOT_IN_A_BROWSER, ...LEFT_OUT[browser].map(({ files }) => files)],
      browser: {
        enabled: true,
        headless,
        ui: false,
        screenshotFailures: false,
        api: { host: "127.0.0.1" },
        provider,
        instances: [{ browser }],
      },
    },
  };
}

const { test: _test, plugins: _plugins, ...shared } = base;
export default defineConfig({
  ...shared,
  root: ROOT,
  // Apart from that of the other tests, which may be at work at the same time.
  cacheDir: `${ROOT}node_modules/.cache/wavepoint-engines`,
  test: {
    setupFiles: ["test/support/quiet-console.ts"],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // One page at a time: these browsers are slow where several share a processor.
    fileParallelism: false,
    passWithNoTests: true,
    projects: [
      ...(firefox ? [browserProject("firefox", firefoxProvider(firefox), true)] : []),
      ...(webkit ? [browserProject("webkit", webKitProvider(webkit), false)] : []),
      {
        extends: true,
        test: {
          // Whole browsers are killed here: after everything else.
          name: "kills",
          environment: "node",
          include: ["test/engines/*.engine.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: LONGEST_MS,
        },
      },
    ],
  },
});
