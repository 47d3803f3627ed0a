import { expect, test } from "vitest";
import { EXAMPLES, question, start, useBuiltDemo } from "./open-demo.ts";

const { demo, newPage, openPage } = useBuiltDemo();
const PHONE = { width: 390, height: 844 };

test("on a phone a run that is started far down the gallery begins at its top, and nothing jumps", { timeout: 60_000 }, async () => {
  const { page, faults } = await newPage(PHONE);
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(globalThis, { seen });
    // Those that follow a click at once count as well: how soon they come depends on the machine.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { readonly value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(demo().address + EXAMPLES);
  // However long this machine takes until the first question.
  await page.evaluate(() => document.documentElement.style.setProperty("--patience", "3600s"));
  await page.locator(start("workshop-seat")).click();
  await question(page, "boat-building").getByLabel("Your name").waitFor();
  expect(await page.evaluate(() => scrollY)).toBeLessThan(PHONE.height / 2);
  await page.getByRole("link", { name: "Examples" }).click();
  await page.locator(start("workshop-seat")).waitFor();
  const shift = await page.evaluate(() => (globalThis as unknown as { readonly seen: { readonly shift: number } }).seen.shift);
  expect(shift).toBeLessThan(0.05);
  expect(faults).toEqual([]);
});

test("a person who comes back to the gallery is led to the question that waits", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage(EXAMPLES, PHONE);
  await page.locator(start("dinner-party")).click();
  await question(page, "How many people").waitFor();
  const asked = page.url();
  await page.goto(demo().address);
  await page.getByRole("link", { name: "Go on with Dinner party" }).click();
  await question(page, "How many people").waitFor();
  expect(page.url()).toBe(asked);
  expect(faults).toEqual([]);
});

test("a double click on Start is one run", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("coffee-subscription")).dblclick();
  await question(page, "How do you make coffee").waitFor();
  // The list is read again with every opening of the page.
  await page.reload();
  await question(page, "How do you make coffee").waitFor();
  await expect.poll(() => page.locator(".run-row", { hasText: "Coffee subscription" }).count()).toBe(1);
  expect(faults).toEqual([]);
});
