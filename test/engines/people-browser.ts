import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDisplay } from "../../scripts/engines/display.mjs";
import { findFirefox, findWebKit } from "../../scripts/engines/find-engines.mjs";
import { startGuarded, type GuardedProcess } from "../support/guarded-process.ts";

/** A browser as people start it: no driver is in it, and its profile outlives it. */
export interface PeopleBrowser {
  /** Opens a tab for each address. */
  start(...addresses: readonly string[]): GuardedProcess;
  /** Ends what belongs to it and removes its profile. */
  remove(): void;
}

const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  // It would open the pages once more, unseen and with a storage of their own.
  "browser.pagethumbnails.capturing_disabled": true,
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "dom.ipc.processPrelaunch.enabled": false,
  "toolkit.startup.max_resumed_crashes": -1,
  "toolkit.telemetry.enabled": false,
};

function makeProfile(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "wavepoint-engine-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }) };
}

/** Nothing where Firefox is not installed. */
async function firefox(): Promise<PeopleBrowser | undefined> {
  const program = findFirefox();
  if (program === undefined) return undefined;
  const profile = makeProfile();
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile.path, "user.js"), lines.join(""));
  return {
    start: (...addresses) => startGuarded(program, ["--headless", "--no-remote", "--profile", profile.path, ...addresses]),
    remove: () => profile.remove(),
  };
}

/** Nothing where WebKitGTK is not installed. */
async function webkit(): Promise<PeopleBrowser | undefined> {
  const programs = findWebKit();
  if (programs === undefined) return undefined;
  const profile = makeProfile();
  const display = await startDisplay(programs.display);
  const variables = [
    `DISPLAY=${display.name}`,
    ...["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"].map((name) => `${name}=${profile.path}`),
    "LIBGL_ALWAYS_SOFTWARE=1",
    "WEBKIT_DISABLE_COMPOSITING_MODE=1",
  ];
  return {
    start: (...addresses) => startGuarded("/usr/bin/env", [...variables, programs.browser, ...addresses]),
    remove() {
      display.close();
      profile.remove();
    },
  };
}

/** The engines that are tried, by name. */
export const ENGINES: readonly (readonly [name: string, make: () => Promise<PeopleBrowser | undefined>])[] = [
  ["Firefox", firefox],
  ["WebKitGTK", webkit],
];
