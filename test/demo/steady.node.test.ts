import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { EXAMPLES, question, start, useBuiltDemo } from "./open-demo.ts";

const { demo, newPage, openPage } = useBuiltDemo();
const PHONE = { width: 390, height: 844 };

/** Parts of the page that moved, and how much of it. */
interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** In a page, before anything of it: notes what moves. What follows a click at once counts as well: how soon it comes depends on the machine. */
function noteShifts(): void {
  interface Entry extends PerformanceEntry {
    readonly value: number;
    readonly sources: readonly {
      readonly node: Node | null;
      readonly previousRect: DOMRectReadOnly;
      readonly currentRect: DOMRectReadOnly;
    }[];
  }
  const shifts: Shift[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Entry[])
      shifts.push({
        value,
        moved: sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node instanceof Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? "gone")}: ${previousRect.top} to ${currentRect.top}`,
        ),
      });
  }).observe({ type: "layout-shift", buffered: true });
}

function total(shifts: readonly Shift[]): number {
  return shifts.reduce((sum, { value }) => sum + value, 0);
}

test("on a phone a run that is started far down the gallery begins at its top, and nothing jumps", { timeout: 60_000 }, async () => {
  const { page, faults } = await newPage(PHONE);
  await page.addInitScript(noteShifts);
  await page.goto(demo().address + EXAMPLES);
  // However long this machine takes until the first question.
  await page.evaluate(() => document.documentElement.style.setProperty("--patience", "3600s"));
  await page.locator(start("workshop-seat")).click();
  await question(page, "boat-building").getByLabel("Your name").waitFor();
  expect(await page.evaluate(() => scrollY)).toBeLessThan(PHONE.height / 2);
  await page.getByRole("link", { name: "Examples" }).click();
  await page.locator(start("workshop-seat")).waitFor();
  const shifts = await page.evaluate(() => (globalThis as unknown as { readonly shifts: readonly Shift[] }).shifts);
  expect(total(shifts), JSON.stringify(shifts, undefined, 2)).toBeLessThan(0.05);
  expect(faults).toEqual([]);
});

/** Tab goes through the buttons in the order in which they stand on the page. */
async function expectOrderSeen(actions: Locator): Promise<void> {
  const lefts = await actions.getByRole("button").evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().left));
  expect(lefts.length).toBeGreaterThan(1);
  expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
}

test("what can be done with a run stands on one line of a small phone while it runs and while it waits", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage(EXAMPLES, { width: 320, height: 640 });
  const actions = page.getByRole("group", { name: "This run", exact: true });
  const height = (): Promise<number> => actions.evaluate((group) => group.getBoundingClientRect().height);
  await page.locator(start("sea-forecast")).click();
  await actions.getByRole("button", { name: "Stop" }).waitFor();
  const running = await height();
  await expectOrderSeen(actions);
  await actions.getByRole("button", { name: "Stop" }).click();
  // What goes on is said once, where it stands that the run was stopped.
  await page.getByRole("button", { name: "Go on" }).waitFor();
  expect(await page.getByRole("button", { name: "Go on" }).count()).toBe(1);
  expect(await height()).toBe(running);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.goto(demo().address + EXAMPLES);
  await page.locator(start("dinner-party")).click();
  await actions.getByRole("button", { name: "Hand over" }).waitFor();
  expect(await height()).toBe(running);
  await expectOrderSeen(actions);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectOrderSeen(actions);
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
