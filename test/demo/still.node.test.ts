import type { Page } from "playwright";
import { expect, test } from "vitest";
import { question, send, start, useBuiltDemo } from "./open-demo.ts";

const { openPage } = useBuiltDemo();
const TABLET = { width: 768, height: 900 };
/** Works longer than what follows a click counts as its doing, asks nothing, and shows less at its end than while it works. */
const OF_ITSELF = `name: of-itself
blocks:
  - { id: work, type: EchoBlock, inputs: { message: done, delay_ms: 8000 } }
`;

/** Has the page add up how far its parts jump, whether or not a click came before: how soon they jump depends on the machine. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { readonly value: number }).value;
    }).observe({ type: "layout-shift" });
  });
  return () => page.evaluate(() => (globalThis as unknown as { readonly seen: { readonly shift: number } }).seen.shift);
}

test("opening a tab of a run moves nothing that stands below it, however long its content takes", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/examples", TABLET);
  await page.locator(start("coffee-subscription")).click();
  const asked = question(page, "How do you make coffee");
  await asked.locator("label").nth(2).click();
  await send(asked);
  await question(page, "Which grind").waitFor();
  // What follows the answer belongs to it.
  await page.locator("wavepoint-timeline:not([aria-busy])").waitFor();
  await page.waitForTimeout(500);
  await page.evaluate(() => document.documentElement.style.setProperty("--patience", "3600s"));
  const shifts = await watchShifts(page);
  for (const [tab, content] of [
    ["Data", "wavepoint-data section"],
    ["Journal", "wavepoint-journal li"],
    ["YAML", ".tab-panel .yaml b"],
    ["History", "wavepoint-history [part~=checkpoint]"],
    ["Timeline", "wavepoint-timeline li"],
  ] as const) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await page.locator(content).first().waitFor();
  }
  await page.locator(".tools").waitFor();
  expect(await shifts()).toBeLessThan(0.05);
  expect(faults).toEqual([]);
});

test("a run that ends by itself moves nothing that stands below it", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/examples", TABLET);
  await page.evaluate(
    (workflows) => localStorage.setItem("wavepoint-demo:own-workflows", workflows),
    JSON.stringify([["of-itself", OF_ITSELF]]),
  );
  await page.goto(page.url().replace(/#.*/, "#/workflow/of-itself"));
  await page.reload();
  await page.getByRole("button", { name: "Start Of itself" }).click();
  await page.locator(".run-title .badge[data-status=running]").waitFor();
  await page.locator("wavepoint-waves svg [data-block]").first().waitFor();
  await page.waitForTimeout(500);
  const top = (): Promise<number> => page.locator(".run-map").evaluate((map) => map.getBoundingClientRect().top + scrollY);
  const before = await top();
  const shifts = await watchShifts(page);
  await page.locator(".run-title .badge[data-status=completed]").waitFor();
  await page.getByText("Done").first().waitFor();
  expect(await top()).toBe(before);
  expect(await shifts()).toBeLessThan(0.05);
  // The next click in it takes the room back.
  await page.locator(".stage-card").click({ position: { x: 5, y: 5 } });
  expect(await top()).toBeLessThan(before);
  expect(faults).toEqual([]);
});
