import { afterAll, beforeAll, expect, test } from "vitest";
import { watchForFaults } from "../demo/built-demo.ts";
import { createProfile, startChrome, type Chrome, type Profile } from "../support/chrome.ts";
import { serveBuiltApps, type BuiltApps } from "./built-apps.ts";

const FRAMEWORKS = ["react", "vue", "svelte"] as const;
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

let apps: BuiltApps;
let profile: Profile;
let chrome: Chrome;

beforeAll(async () => {
  profile = createProfile();
  const folders = FRAMEWORKS.map((name) => `examples/${name}/wizard`);
  [apps, chrome] = await Promise.all([serveBuiltApps({ folders, policy: POLICY }), startChrome(profile)]);
}, 120_000);

afterAll(async () => {
  await chrome.close();
  await apps.close();
  profile.remove();
});

test.each(FRAMEWORKS)(
  "a template of %s gives the element its run, and hears of the one that Back makes",
  { timeout: 120_000 },
  async (name) => {
    const context = await chrome.context.browser()!.newContext();
    context.setDefaultTimeout(40_000);
    const page = await context.newPage();
    const faults = await watchForFaults(page, apps.origin);
    await page.goto(`${apps.origin}/examples/${name}/wizard/`);
    const element = page.locator("wavepoint-run");
    await element.getByRole("heading", { name: "Where shall it go?" }).waitFor();
    const first = await shownRun();
    await element.getByRole("radio").first().check();
    await element.getByRole("button", { name: "Continue" }).click();
    await element.getByRole("heading", { name: "Your stay" }).waitFor();
    await element.getByRole("button", { name: "Back" }).click();
    await element.getByText(/^You answered: /).waitFor();
    const second = await shownRun();
    expect([first, second].every((id) => id.startsWith("run_"))).toBe(true);
    expect(second).not.toBe(first);
    await element.getByRole("button", { name: "Continue" }).click();
    await element.getByRole("heading", { name: "Your stay" }).waitFor();
    expect(faults).toEqual([]);

    /** The run that the component around the element has. */
    function shownRun(): Promise<string> {
      return page.locator("#run").innerText();
    }
  },
);
