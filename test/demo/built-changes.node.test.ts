import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { begin, focused, question, start, useBuiltDemo } from "./open-demo.ts";
import type { Locator, Page } from "playwright";

const { demo, openPage } = useBuiltDemo();

async function choose(page: Page, asked: string, answer: string): Promise<void> {
  await question(page, asked).getByLabel(answer, { exact: true }).check();
  await question(page, asked).getByRole("button", { name: "Send answer" }).click();
}

/** Begins the wizard and answers it up to the number of cups. */
async function answerTwo(page: Page): Promise<Locator> {
  await page.locator(start("coffee-subscription")).click();
  await choose(page, "How do you make coffee", "Filter");
  await choose(page, "Which grind", "Fine");
  const cups = page.locator(".question input.field");
  await cups.waitFor();
  return cups;
}

test("back leads to the questions before, with their answers, by the keyboard too", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const cups = await answerTwo(page);
  await cups.fill("4");
  await page.locator("[data-back]").press("Enter");
  await question(page, "Which grind suits your Filter?").waitFor();
  await expect.poll(() => focused(page)).toBe("INPUT");
  await expect.poll(() => page.locator(".earlier").textContent()).toBe("You answered: Fine.");
  await expect.poll(() => question(page, "Which grind").getByLabel("Fine").isChecked()).toBe(true);

  await page.locator("[data-back]").click();
  await question(page, "How do you make coffee").waitFor();
  await choose(page, "How do you make coffee", "French press");
  await choose(page, "Which grind suits your French press?", "Coarse");
  await cups.waitFor();
  await expect.poll(() => cups.inputValue()).toBe("4");
  await expect.poll(() => page.locator(".run-row").count()).toBe(1);
  expect(faults).toEqual([]);
});

test("an answer is changed once it was seen what follows from that, and the run before stays", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const cups = await answerTwo(page);
  await cups.fill("4");
  await cups.press("Enter");
  await question(page, "Shall we send").getByRole("button", { name: "Yes" }).click();
  await page.locator(".outputs").waitFor({ timeout: 15_000 });
  const before = page.url();

  await page.getByRole("button", { name: "Change: How many cups" }).click();
  await expect.poll(() => focused(page)).toBe("INPUT");
  const field = page.locator(".changing input.field");
  await field.fill("a lot");
  await field.press("Enter");
  await expect.poll(() => page.locator(".changing .field-error").textContent()).toContain("a lot");
  await field.fill("6");
  await field.press("Enter");
  const follows = page.locator(".consequences");
  await follows.waitFor();
  await expect.poll(() => focused(page)).toBe("");
  expect(await follows.locator("dl > div").first().innerText()).toContain("Brew");
  expect(page.url()).toBe(before);
  await follows.getByRole("button", { name: "Change the answer" }).click();

  await question(page, "6 cups a day. Shall we send the first box?").waitFor();
  expect(page.url()).not.toBe(before);
  await expect.poll(() => page.locator(".versions a").count()).toBe(2);
  await page.goto(before);
  await expect.poll(() => page.locator(".outputs [data-output=box]").textContent()).toBe("Fine for your Filter, 4 cups a day");
  expect(faults).toEqual([]);
});

test("a run is saved as a file, deleted, and goes on from the file", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await begin(page, "expense-approval");
  await question(page, "Approve").waitFor();
  const address = page.url();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as a file" }).click()]);
  expect(saved.suggestedFilename()).toMatch(/^run_\w+\.run$/);
  const text = readFileSync(await saved.path(), "utf8");

  await page.getByRole("button", { name: "Delete run" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete run" }).click();
  await expect.poll(() => page.url()).not.toBe(address);

  const file = (content: string) => ({ name: "a.run", mimeType: "application/octet-stream", buffer: Buffer.from(content) });
  await page.getByLabel("Open a saved run").setInputFiles(file(text.slice(0, -20)));
  await page.locator(".notice.problem").getByRole("button", { name: "Close" }).click();
  await page.getByLabel("Open a saved run").setInputFiles(file(text));
  await question(page, "Approve").getByRole("button", { name: "Yes" }).click();
  await page.locator(".outputs").waitFor();
  expect(page.url()).toBe(address);
  expect(faults).toEqual([]);
});

test("a database that the browser lost is told of, and a new one is begun", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("dinner-party")).click();
  await question(page, "dessert").waitFor();
  // A page of the same origin that has nothing open.
  await page.route("**/bare", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(new URL("bare", demo().address).href);
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase("wavepoint-demo");
        request.addEventListener("success", () => resolve());
        request.addEventListener("error", () => reject(new Error("The database was not deleted.")));
      }),
  );
  await page.goto(demo().address);
  await page.getByRole("heading", { name: "Your runs are gone" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Begin anew" }).click();
  await page.locator(start("dinner-party")).click();
  await question(page, "dessert").waitFor();
  await page.reload();
  await question(page, "dessert").waitFor();
  expect(faults).toEqual([]);
});
