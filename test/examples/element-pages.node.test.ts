import { expect, test } from "vitest";
import { watchForFaults } from "../demo/built-demo.ts";
import { useBuiltApps } from "./use-built-apps.ts";

const FRAMEWORKS = ["react", "vue", "svelte"] as const;
const { apps, newContext } = useBuiltApps(FRAMEWORKS.map((name) => `examples/${name}/wizard`));

test.each(FRAMEWORKS)("a template of %s gives the element its run, which stays the same after Back", { timeout: 120_000 }, async (name) => {
  const context = await newContext();
  context.setDefaultTimeout(40_000);
  const page = await context.newPage();
  const faults = await watchForFaults(page, apps().origin);
  await page.goto(`${apps().origin}/examples/${name}/wizard/`);
  const element = page.locator("wavepoint-run");
  await element.getByRole("heading", { name: "Where shall it go?" }).waitFor();
  const run = await shownRun();
  expect(run).toMatch(/^run_/);
  await element.getByRole("radio").first().check();
  await element.getByRole("button", { name: "Continue" }).click();
  await element.getByRole("heading", { name: "Your stay" }).waitFor();
  await element.getByRole("button", { name: "Back" }).click();
  await element.getByRole("heading", { name: "Where shall it go?" }).waitFor();
  expect(await element.getByRole("radio").first().isChecked()).toBe(true);
  expect(await shownRun()).toBe(run);
  await element.getByRole("button", { name: "Continue" }).click();
  await element.getByRole("heading", { name: "Your stay" }).waitFor();
  expect(faults).toEqual([]);

  /** The run that the component around the element has. */
  function shownRun(): Promise<string> {
    return page.locator("#run").innerText();
  }
});
