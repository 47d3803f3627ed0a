import { expect, test } from "vitest";
import { tabTo } from "./built-demo.ts";
import { chooseMore, EXAMPLES, begin, focused, openTool, output, question, send, start, untilQuiet, useBuiltDemo } from "./open-demo.ts";

const { demo, context, openPage, newPage } = useBuiltDemo();

test("the wizard is answered with the keyboard alone, and a reload in its middle loses nothing", { timeout: 90_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("coffee-subscription")).waitFor();
  await tabTo(page, start("coffee-subscription"));
  await page.keyboard.press("Enter");

  await question(page, "How do you make coffee at home?").waitFor();
  await expect.poll(() => focused(page)).toBe("heading");
  await untilQuiet(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");

  await question(page, "Which grind suits your Filter?").waitFor();
  await expect.poll(() => focused(page)).toBe("heading");
  await untilQuiet(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");

  const cups = question(page, "How many cups").locator("input");
  await cups.waitFor();
  await expect.poll(() => focused(page)).toBe("heading");
  await untilQuiet(page);
  await page.keyboard.press("Tab");
  await page.keyboard.type("a lot");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("summary");
  expect(await cups.getAttribute("aria-invalid")).toBe("true");

  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => cups.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("3");
  await page.getByText("Saved", { exact: true }).waitFor();
  const address = page.url();
  await page.reload();
  expect(page.url()).toBe(address);
  await cups.waitFor();
  await expect.poll(() => cups.inputValue()).toBe("3");
  await tabTo(page, "wavepoint-run input");
  await untilQuiet(page);
  await page.keyboard.press("Enter");

  await question(page, "Shall we send the first box?").waitFor();
  await expect.poll(() => focused(page)).toBe("heading");
  await untilQuiet(page);
  await tabTo(page, "wavepoint-run [value=yes]");
  await page.keyboard.press("Enter");

  await expect.poll(() => output(page, "Box").textContent()).toBe("Whole beans for your Filter, 3 cups a day");
  await page.locator("[data-tab=timeline]").click();
  expect(await page.locator("[part~=timeline-row][data-block=starter_kit]").getAttribute("data-status")).toBe("skipped");
  expect(faults).toEqual([]);
});

test("a reload while blocks run goes on with those that had not finished", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("sea-forecast")).click();
  await page.locator("[data-tab=timeline]").click();
  await page.locator('[part~="timeline-row"][data-status="completed"]').first().waitFor();
  await page.reload();
  await output(page, "Forecast").waitFor({ timeout: 30_000 });
  expect(await output(page, "Forecast").textContent()).toContain("Gale possible in the north");
  await page.locator("[data-tab=timeline]").click();
  await expect.poll(() => page.locator('[part~="timeline-row"][data-status="completed"]').count()).toBe(14);
  expect(faults).toEqual([]);
});

test("an answer given in one tab appears in another", { timeout: 60_000 }, async () => {
  const { page: first, faults } = await openPage();
  await first.locator(start("dinner-party")).click();
  await question(first, "How many people").waitFor();
  const { page: second } = await openPage(new URL(first.url()).hash);
  await question(second, "How many people").locator("input").waitFor();
  await question(first, "How many people").locator("input").fill("6");
  await send(question(first, "How many people"));
  await question(first, "oven").getByLabel("Lemon chicken").check();
  await question(second, "oven").waitFor();
  await send(question(first, "oven"));
  await question(second, "dessert").getByRole("button", { name: "No" }).click();
  for (const page of [first, second]) {
    await expect.poll(() => output(page, "Menu").textContent()).toContain("Lemon chicken for 6\nCoffee and dates");
  }
  expect(faults).toEqual([]);
});

test("a form says what is wrong with each field, keeps its draft over a reload, and is answered", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("workshop-seat")).click();
  const form = question(page, "A seat in the boat-building workshop");
  await form.getByLabel("Your name").fill("Ada");
  await form.getByLabel("E-mail").fill("ada@example.com");
  await form.getByLabel("Seats").fill("9");
  await form.getByLabel("Plane").check();
  await send(form);
  await expect.poll(() => focused(page)).toBe("summary");
  expect(await form.locator("[part=summary] a").count()).toBe(3);
  await form.locator("[part=summary] a", { hasText: "Seats" }).click();
  await expect.poll(() => form.getByLabel("Seats").evaluate((element) => element === document.activeElement)).toBe(true);

  await page.getByText("Saved", { exact: true }).waitFor();
  await page.reload();
  await expect.poll(() => form.getByLabel("Your name").inputValue()).toBe("Ada");
  expect(await form.getByLabel("Plane").isChecked()).toBe(true);
  await form.getByLabel("Seats").fill("2");
  await form.getByLabel("First evening").fill("2027-03-01");
  await form.getByLabel("Cedar").check();
  await send(form);
  await expect.poll(() => output(page, "Ticket").textContent()).toContain("Ada, 2 seats from 2027-03-01");
  expect(faults).toEqual([]);
});

test("a called workflow asks on the page of its caller, without a network", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.getByText("works offline").waitFor();
  await context().setOffline(true);
  await begin(page, "first-day");
  await question(page, "Where does Jonas sit?").getByLabel("In the quiet room").check();
  await send(question(page, "Where does Jonas sit?"));
  await question(page, "A second screen").getByRole("button", { name: "Yes" }).click();
  await question(page, "Who shows Jonas around").getByLabel("Ruth").check();
  await send(question(page, "Who shows Jonas around"));
  await expect.poll(() => output(page, "Desk").textContent()).toBe("in the quiet room, two screens");
  await page.getByText("No network").waitFor();
  expect(faults).toEqual([]);
});

test("a fork of an earlier question leaves the old run as it is", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await begin(page, "expense-approval");
  await question(page, "Approve").getByRole("button", { name: "Yes" }).click();
  await output(page, "Payment").waitFor();
  const before = page.url();
  await page.locator("[data-tab=history]").click();
  await page.locator("wavepoint-history [part=checkpoint]", { hasText: "Approve" }).getByRole("button", { name: /^Fork/ }).click();
  await question(page, "Approve").getByRole("button", { name: "No" }).click();
  await question(page, "What should").waitFor();
  expect(page.url()).not.toBe(before);
  await page.goto(before);
  await output(page, "Payment").waitFor();
  expect(faults).toEqual([]);
});

test("cancelling a run stands in a menu and asks first, by keyboard too; Escape leads back", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("sea-forecast")).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  const more = page.getByRole("button", { name: "More for this run" });
  const hasFocus = (): Promise<boolean> => more.evaluate((button) => button === document.activeElement);
  const ask = async (): Promise<void> => {
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel run…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Cancel this run?" }).waitFor();
  };
  await tabTo(page, ".more-button");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cancel run…" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cancel run…" }).waitFor({ state: "hidden" });
  await expect.poll(hasFocus).toBe(true);
  await ask();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep");
  await page.keyboard.press("Escape");
  await expect.poll(hasFocus).toBe(true);
  expect(await page.locator(".run-title .badge").getAttribute("data-status")).toBe("stopped");
  await ask();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await page.locator(".run-title .badge[data-status=cancelled]").waitFor();
  await expect.poll(hasFocus).toBe(true);
  // What has ended is not cancelled.
  await more.click();
  await page.getByRole("button", { name: "Delete run…" }).waitFor();
  expect(await page.getByRole("button", { name: "Cancel run…" }).count()).toBe(0);
  // It stands below its button, which a turned phone moves.
  await page.setViewportSize({ width: 800, height: 400 });
  await page.getByRole("button", { name: "Delete run…" }).waitFor({ state: "hidden" });
  expect(faults).toEqual([]);
});

test("deleting asks first, and the run is gone from list and address", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("dinner-party")).click();
  await question(page, "How many people").waitFor();
  const address = page.url();
  const rows = page.locator(".run-row");
  const before = await rows.count();
  await chooseMore(page, "Delete run");
  await page.keyboard.press("Escape");
  expect(page.url()).toBe(address);
  await chooseMore(page, "Delete run");
  await page.locator("dialog").getByRole("button", { name: "Delete run" }).click();
  await expect.poll(() => rows.count()).toBe(before - 1);
  await page.goto(address);
  await page.getByRole("heading", { name: "This run is not here" }).waitFor();
  expect(faults).toEqual([]);
});

test("without durable storage the page works and says that nothing is kept", { timeout: 60_000 }, async () => {
  const { page, faults } = await newPage();
  await page.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }));
  await page.goto(demo().address + EXAMPLES);
  await page.getByText("a reload loses them").waitFor();
  await page.locator(start("dinner-party")).click();
  await question(page, "How many people").waitFor();
  expect(faults).toEqual([]);
});

test("nothing is wider than a phone, nor with text twice as large", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage(EXAMPLES, { width: 360, height: 740 });
  const expectToFit = async (...where: readonly string[]): Promise<void> => {
    for (const size of ["100%", "200%"]) {
      const over = await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
        return Math.max(0, document.documentElement.scrollWidth - innerWidth);
      }, size);
      expect([...where, size, over]).toEqual([...where, size, 0]);
    }
  };
  await page.locator(start("coffee-subscription")).waitFor();
  await expectToFit("gallery");
  for (const workflow of ["coffee-subscription", "config-wizard", "storm-report", "berth-application"]) {
    await page.goto(demo().address + EXAMPLES);
    await page.locator(start(workflow)).click();
    await page.locator("wavepoint-prompt form").first().waitFor();
    for (const tab of ["timeline", "data", "journal", "yaml", "history"]) {
      await page.locator(`[data-tab=${tab}]`).click();
      if (tab === "yaml") await page.locator(".yaml span").first().waitFor();
      await expectToFit(workflow, tab);
    }
  }
  for (const tool of ["worker", "faults", "storage", "editor", "events"] as const) {
    await openTool(page, tool);
    await expectToFit(tool);
  }
  for (const workflow of ["sea-forecast", "http-retry", "project-check"]) {
    await page.goto(`${demo().address}#/workflow/${workflow}`);
    await page.locator(".graph svg").waitFor();
    await expectToFit(workflow);
  }
  expect(faults).toEqual([]);
});
