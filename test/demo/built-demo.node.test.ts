import { expect, test } from "vitest";
import { tabTo } from "./built-demo.ts";
import { begin, focused, question, start, useBuiltDemo } from "./open-demo.ts";

const { demo, chrome, openPage, newPage } = useBuiltDemo();

test("the wizard is answered with the keyboard alone, and a reload in its middle loses nothing", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("coffee-subscription")).waitFor();
  await tabTo(page, start("coffee-subscription"));
  await page.keyboard.press("Enter");

  await question(page, "How do you make coffee at home?").waitFor();
  await expect.poll(() => focused(page)).toBe("INPUT");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");

  await question(page, "Which grind suits your Filter?").waitFor();
  await expect.poll(() => focused(page)).toBe("INPUT");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");

  const cups = page.locator(".question input.field");
  await cups.waitFor();
  await expect.poll(() => focused(page)).toBe("INPUT");
  await page.keyboard.type("a lot");
  await page.keyboard.press("Enter");
  const message = page.locator(".field-error:not([hidden])");
  await expect.poll(() => message.textContent()).toContain("a lot");
  expect(await cups.getAttribute("aria-invalid")).toBe("true");
  expect(await cups.getAttribute("aria-describedby")).toBe(await message.getAttribute("id"));
  expect(await focused(page)).toBe("INPUT");

  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("3");
  await page.getByText("What you typed is kept").waitFor();
  const address = page.url();
  await page.reload();
  expect(page.url()).toBe(address);
  await cups.waitFor();
  expect(await cups.inputValue()).toBe("3");
  await tabTo(page, ".question input.field");
  await page.keyboard.press("Enter");

  await question(page, "Shall we send the first box?").waitFor();
  await expect.poll(() => focused(page)).toBe("LEGEND");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");

  await page.locator(".outputs").waitFor();
  expect(await page.locator(".outputs [data-output=box]").textContent()).toBe("Whole beans for your Filter, 3 cups a day");
  expect(await page.locator(".outputs [data-output=subscribed]").textContent()).toBe("Yes");
  expect(await page.locator("[data-block=starter_kit]").getAttribute("data-status")).toBe("skipped");
  await expect.poll(() => page.locator("#announcer").textContent()).toContain("Run completed");
  expect(faults).toEqual([]);
});

test("a reload while blocks run goes on with those that had not finished", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("sea-forecast")).click();
  await page.locator('.block[data-status="completed"]').first().waitFor();
  await page.reload();
  await page.locator(".outputs").waitFor({ timeout: 30_000 });
  expect(await page.locator(".outputs [data-output=forecast]").textContent()).toContain("Gale possible in the north");
  expect(await page.locator('.block[data-status="completed"]').count()).toBe(14);
  expect(faults).toEqual([]);
});

test("an answer given in one tab appears in another", { timeout: 60_000 }, async () => {
  const { page: first, faults } = await openPage();
  await first.locator(start("dinner-party")).click();
  await expect.poll(() => first.locator(".question").count()).toBe(3);
  const { page: second } = await openPage(new URL(first.url()).hash);
  await expect.poll(() => second.locator(".question").count()).toBe(3);
  await question(second, "How many people").locator("input").fill("six, perhaps");
  await question(first, "dessert").getByRole("button", { name: "No" }).click();
  await expect.poll(() => second.locator(".question").count()).toBe(2);
  expect(await question(second, "How many people").locator("input").inputValue()).toBe("six, perhaps");
  await question(first, "oven").getByText("Lemon chicken").click();
  await question(first, "oven").getByRole("button", { name: "Send answer" }).click();
  await question(first, "How many people").locator("input").fill("6");
  await question(first, "How many people").getByRole("button", { name: "Send answer" }).click();
  await second.locator(".outputs").waitFor();
  expect(await second.locator(".outputs [data-output=menu]").textContent()).toContain("Lemon chicken for 6\nCoffee and dates");
  expect(faults).toEqual([]);
});

test("a form says what is wrong with each field, keeps its draft over a reload, and is answered", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("workshop-seat")).click();
  const form = question(page, "A seat in the boat-building workshop");
  await form.waitFor();
  await expect.poll(() => focused(page)).toBe("INPUT");
  await form.getByLabel("Your name").fill("Ada");
  await form.getByLabel("E-mail").fill("ada@example.com");
  await form.getByLabel("Seats").fill("9");
  await form.getByLabel("Plane").check();
  await form.getByRole("button", { name: "Send answer" }).click();

  const summary = form.locator(".error-summary");
  await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await summary.locator("button").allTextContents()).toEqual([
    "First evening must not be empty.",
    "Seats must be 4 or less.",
    "Wood is required.",
  ]);
  expect(await form.getByLabel("Seats").getAttribute("aria-invalid")).toBe("true");

  await page.getByText("What you typed is kept").waitFor();
  await page.reload();
  await form.waitFor();
  expect(await form.getByLabel("Your name").inputValue()).toBe("Ada");
  expect(await form.getByLabel("Plane").isChecked()).toBe(true);
  await form.getByLabel("Seats").fill("2");
  await form.getByLabel("First evening").fill("2027-03-05");
  await form.getByLabel("Oak").check();
  await form.getByLabel("Your name").press("Enter");
  await page.locator(".outputs").waitFor();
  expect(await page.locator(".outputs [data-output=ticket]").textContent()).toBe("Ada, 2 seats from 2027-03-05\nA boat of oak, with plane");
  expect(faults).toEqual([]);
});

test("a called workflow asks on the page of its caller, without a network", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.waitForLoadState("networkidle");
  await chrome().context.setOffline(true);
  await begin(page, "first-day");
  await question(page, "Where does Jonas sit?").getByText("In the quiet room").click();
  await question(page, "Where does Jonas sit?").getByRole("button", { name: "Send answer" }).click();
  await question(page, "A second screen").getByRole("button", { name: "Yes" }).click();
  await question(page, "Who shows Jonas around").getByText("Ruth").click();
  await question(page, "Who shows Jonas around").getByRole("button", { name: "Send answer" }).click();
  await page.locator(".outputs").waitFor();
  expect(await page.locator(".outputs [data-output=desk]").textContent()).toBe("in the quiet room, two screens");
  expect(faults).toEqual([]);
});

test("a fork of an earlier question leaves the old run as it is", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await begin(page, "expense-approval");
  await question(page, "Approve").getByRole("button", { name: "Yes" }).click();
  await page.locator(".outputs").waitFor();
  const old = page.url();
  await page.getByRole("button", { name: "Fork from here: Question of Approve" }).click();
  await question(page, "Approve").getByRole("button", { name: "No" }).click();
  await question(page, "refusal").locator("input").fill("The budget is meant for trains only.");
  await question(page, "refusal").getByRole("button", { name: "Send answer" }).click();
  await page.locator(".outputs").waitFor();
  expect(await page.locator(".outputs [data-output=approved]").textContent()).toBe("No");
  await page.goto(old);
  await expect.poll(() => page.locator(".outputs [data-output=approved]").textContent()).toBe("Yes");
  expect(faults).toEqual([]);
});

test("deleting asks first, and the run is gone from list and address", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("dinner-party")).click();
  await question(page, "dessert").waitFor();
  const address = page.url();
  const rows = page.locator(".run-row");
  const before = await rows.count();
  await page.getByRole("button", { name: "Delete run" }).click();
  await page.keyboard.press("Escape");
  expect(page.url()).toBe(address);
  await page.getByRole("button", { name: "Delete run" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete run" }).click();
  await expect.poll(() => rows.count()).toBe(before - 1);
  await page.goto(address);
  await page.getByRole("heading", { name: "This run is not here" }).waitFor();
  expect(faults).toEqual([]);
});

test("without durable storage the page works and says that nothing is kept", { timeout: 60_000 }, async () => {
  const { page, faults } = await newPage();
  await page.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }));
  await page.goto(demo().address);
  await page.getByText("a reload loses them").waitFor();
  await page.locator(start("dinner-party")).click();
  await question(page, "dessert").waitFor();
  expect(faults).toEqual([]);
});

test("nothing is wider than a phone", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/", { width: 360, height: 740 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.locator(start("coffee-subscription")).waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  for (const workflow of ["coffee-subscription", "dinner-party", "config-wizard"]) {
    await page.goto(`${demo().address}#/`);
    await page.locator(start(workflow)).click();
    await page.locator(".question").first().waitFor();
    await page.locator(".source summary").click();
    expect(await overflow(), workflow).toBeLessThanOrEqual(0);
  }
  for (const workflow of ["sea-forecast", "http-retry", "project-check"]) {
    await page.goto(`${demo().address}#/workflow/${workflow}`);
    await page.locator(".graph svg").waitFor();
    expect(await overflow(), workflow).toBeLessThanOrEqual(0);
  }
  expect(faults).toEqual([]);
});
