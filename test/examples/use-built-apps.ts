import type { BrowserContext } from "playwright";
import { afterAll, afterEach, beforeAll } from "vitest";
import { sharedChrome } from "../support/shared-chrome.ts";
import { serveBuiltApps, type BuiltApps } from "./built-apps.ts";

const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

/** Example apps under a strict policy for the tests of a file. */
interface UsedApps {
  apps(): BuiltApps;
  /** A place for pages that has stored nothing yet; it is closed after the test. */
  newContext(): Promise<BrowserContext>;
}

/** Builds and serves example apps before the tests of a file, and takes them down after them. */
export function useBuiltApps(folders: readonly string[]): UsedApps {
  let apps: BuiltApps;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    apps = await serveBuiltApps({ folders, policy: POLICY });
  }, 120_000);

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  afterAll(() => apps.close());

  return {
    apps: () => apps,
    async newContext() {
      const context = await (await sharedChrome()).newContext();
      contexts.push(context);
      return context;
    },
  };
}
