import { afterAll, beforeAll } from "vitest";
import { createProfile, startChrome, type Chrome, type Profile } from "../support/chrome.ts";
import { serveBuiltApps, type BuiltApps } from "./built-apps.ts";

const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

/** Builds and serves example apps under a strict policy and starts a browser before the tests of a file, and ends both after them. */
export function useBuiltApps(folders: readonly string[]): { apps(): BuiltApps; chrome(): Chrome } {
  let apps: BuiltApps;
  let profile: Profile;
  let chrome: Chrome;

  beforeAll(async () => {
    profile = createProfile();
    [apps, chrome] = await Promise.all([serveBuiltApps({ folders, policy: POLICY }), startChrome(profile)]);
  }, 120_000);

  afterAll(async () => {
    await chrome.close();
    await apps.close();
    profile.remove();
  });

  return { apps: () => apps, chrome: () => chrome };
}
