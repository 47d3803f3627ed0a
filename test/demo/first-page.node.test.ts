import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { useBuiltDemo } from "./open-demo.ts";

const { context, openPage } = useBuiltDemo();
const SOURCE = readFileSync(new URL("../../demo/workflows/first-box.yaml", import.meta.url), "utf8");

function nameField(page: Page): Locator {
  return page.locator("wavepoint-run", { hasText: "Whose name goes on the box?" }).getByRole("textbox");
}

function statusOf(page: Page, block: string): Promise<string | null> {
  return page.locator(`.live-graph svg [data-block=${block}]`).getAttribute("data-status");
}

test("the run of the first page outlives its worker, a changed answer, the network and its tab", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/");
  const said = page.locator(".live-said");
  // What stands beside the run is what runs.
  const shown = await page.locator(".hero-code").nth(1).innerText();
  expect(shown.split("\n")).toHaveLength(5);
  expect(SOURCE.replaceAll("\n  ", "\n")).toContain(shown);
  expect(await page.locator("[data-change-answer]").getAttribute("aria-disabled")).toBe("true");

  const beans = page.locator("wavepoint-run form", { hasText: "Which beans" });
  await beans.getByLabel("Kenya").check();
  await beans.getByRole("button", { name: "Continue" }).click();
  await nameField(page).fill("Ada Lo");
  await expect.poll(() => statusOf(page, "courier")).toBe("running");
  // Nothing of the run is in the page while its journal is read: for 0.7 seconds, so that the page itself looks.
  const inTheDark = page.waitForFunction(
    () =>
      document.querySelector(".replay")?.textContent?.includes("roast is done") &&
      !document.querySelector("wavepoint-run, wavepoint-waves"),
  );
  await page.locator("[data-kill]").click();
  await inTheDark;
  await expect.poll(() => nameField(page).inputValue()).toBe("Ada Lo");
  await expect.poll(() => said.innerText()).toBe("3 steps kept, finished steps repeated: 0. Cut off midway and started again: courier.");
  await expect.poll(() => statusOf(page, "courier")).toBe("running");

  await context().setOffline(true);
  // What changes is marked for 1.4 seconds, and then the roast runs for 1.5.
  const marked = page.waitForFunction(() => {
    const blocks = [...document.querySelectorAll(".live-graph svg [data-change]")].map((block) => block.getAttribute("data-block"));
    return blocks.includes("roast") && blocks;
  });
  const roasted = page.waitForFunction(
    () => document.querySelector(".live-graph svg [data-block=roast]")?.getAttribute("data-status") === "running",
  );
  await page.locator("[data-change-answer]").click();
  expect(await (await marked).jsonValue()).not.toContain("box");
  await roasted;
  await expect.poll(() => said.innerText()).toBe("Peru in place of Kenya. Again: roast, courier, label. As they were: box, name.");
  await expect.poll(() => nameField(page).inputValue()).toBe("Ada Lo");
  await context().setOffline(false);

  const opening = context().waitForEvent("page");
  await page.getByRole("link", { name: "Open it there" }).click();
  const tab = await opening;
  await expect.poll(() => nameField(tab).inputValue()).toBe("Ada Lo");
  await tab.close();
  expect(faults).toEqual([]);
});

test("six examples lead to all of them", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/", { width: 360, height: 740 });
  await expect.poll(() => page.locator("[data-example]").count()).toBe(6);
  await page.locator(".live-graph svg").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole("link", { name: /^All \d+ examples$/ }).click();
  await page.getByRole("heading", { name: "All examples" }).waitFor();
  expect(await page.locator("[data-example]").count()).toBeGreaterThan(30);
  expect(faults).toEqual([]);
});
