import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { chooseMore, EXAMPLES, begin, focused, output, question, send, start, useBuiltDemo, untilQuiet } from "./open-demo.ts";

const { demo, newPage, openPage } = useBuiltDemo();

async function choose(page: Page, asked: string, answer: string): Promise<void> {
  await question(page, asked).getByLabel(answer, { exact: true }).check();
  await send(question(page, asked));
}

/** Begins the wizard and answers it up to the number of cups. */
async function answerTwo(page: Page): Promise<Locator> {
  await page.locator(start("coffee-subscription")).click();
  await choose(page, "How do you make coffee", "Filter");
  await choose(page, "Which grind", "Fine");
  const cups = question(page, "How many cups").locator("input");
  await cups.waitFor();
  // The list is read a moment after the run has begun.
  await page.locator(`.run-row[data-run="${new URL(page.url()).hash.split("/").at(-1)}"]`).waitFor({ state: "attached" });
  return cups;
}

test("back leads to the questions before, with their answers, by the button and by the browser", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const cups = await answerTwo(page);
  const runs = await page.locator(".run-row").count();
  await cups.fill("4");
  await page.getByText("Saved", { exact: true }).waitFor();
  await question(page, "How many cups").waitFor();
  await untilQuiet(page);
  await question(page, "How many cups").getByRole("button", { name: "Back" }).press("Enter");
  await question(page, "Which grind suits your Filter?").waitFor();
  await expect.poll(() => focused(page)).toBe("heading");
  await expect.poll(() => question(page, "Which grind").getByLabel("Fine").isChecked()).toBe(true);

  await page.goBack();
  await question(page, "How do you make coffee").waitFor();
  await choose(page, "How do you make coffee", "French press");
  await choose(page, "Which grind suits your French press?", "Coarse");
  await cups.waitFor();
  await expect.poll(() => cups.inputValue()).toBe("4");
  await expect.poll(() => page.locator(".run-row").count()).toBe(runs);
  expect(faults).toEqual([]);
});

test("after each step back the address stays that of the run, for a reload and for another tab", { timeout: 90_000 }, async () => {
  const { page, faults } = await openPage();
  await answerTwo(page);
  const address = page.url();
  const runs = await page.locator(".run-row").count();
  await question(page, "How many cups").getByRole("button", { name: "Back" }).click();
  await question(page, "Which grind").waitFor();
  await page.reload();
  await question(page, "Which grind").waitFor();
  expect(page.url()).toBe(address);
  const { page: tab } = await newPage();
  await tab.goto(address);
  await expect.poll(() => question(tab, "Which grind").getByLabel("Fine").isChecked()).toBe(true);

  await page.goBack();
  await question(page, "How do you make coffee").waitFor();
  // The other tab shows the same run.
  await question(tab, "How do you make coffee").waitFor();
  await page.reload();
  await question(page, "How do you make coffee").waitFor();
  await page.goForward();
  await question(page, "Which grind").waitFor();
  await page.goBack();
  await question(page, "How do you make coffee").waitFor();
  expect(page.url()).toBe(address);
  await page.goBack();
  await page.locator(start("coffee-subscription")).waitFor();
  expect(new URL(page.url()).hash).toBe(EXAMPLES);
  await page.goForward();
  await question(page, "How do you make coffee").waitFor();
  expect(await page.locator(".run-row").count()).toBe(runs);
  expect(faults).toEqual([]);
});

test("an answer is changed once it was seen what follows from that, in the same run", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const cups = await answerTwo(page);
  await cups.fill("4");
  await cups.press("Enter");
  await question(page, "4 cups a day. Shall we send the first box?").waitFor();
  const listed = await page.locator(".run-row").count();

  await page.getByRole("button", { name: "Your answers" }).click();
  await page.getByRole("button", { name: /^Change.*How many cups/ }).click();
  const field = page.locator("wavepoint-run input");
  await field.fill("6");
  await field.press("Enter");
  const follows = page.locator("wavepoint-run [part=preview]");
  await expect.poll(() => follows.textContent()).toContain("Which grind suits your Filter?");
  const marked = () =>
    page.locator(".run-map svg [data-change]").evaluateAll((found) => found.map((one) => one.getAttribute("data-block")));
  await expect.poll(marked).toContain("summary");
  expect(await marked()).not.toContain("grind");
  await follows.locator("[part~=primary]").click();
  await question(page, "6 cups a day. Shall we send the first box?").waitFor();
  expect(await page.locator(".run-row").count()).toBe(listed);
  await question(page, "Shall we send").getByRole("button", { name: "Yes" }).click();
  await output(page, "Box").waitFor();
  await expect.poll(() => output(page, "Box").textContent()).toBe("Fine for your Filter, 6 cups a day");

  await page.getByRole("button", { name: "Your answers" }).click();
  await page.getByText("This is finished, so its answers stay as they are.").waitFor();
  await page.locator("[data-tab=history]").click();
  const runs = page.locator("wavepoint-history [part=branch]");
  await expect.poll(() => runs.count()).toBe(1);
  await page.getByRole("button", { name: /^Fork from here: .*How many cups/ }).click();
  await question(page, "How many cups").waitFor();
  await expect.poll(() => runs.count()).toBe(2);
  expect(faults).toEqual([]);
});

test("the past repaints the graph and the data, and a fork hangs from the checkpoint where it begins", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const cups = await answerTwo(page);
  const block = (id: string) => page.locator(`.run-map svg [data-block=${id}]`).getAttribute("data-status");
  await expect.poll(() => block("grind")).toBe("completed");
  const handle = page.getByRole("slider", { name: "Checkpoint" });
  await handle.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => block("brew")).toBe("paused");
  expect(await block("grind")).toBe("pending");
  await page.locator("[data-tab=data]").click();
  expect(await page.locator("[data-values=brew]").count()).toBe(0);
  await page.locator("[data-now]").click();
  await page.locator("[data-values=brew]", { hasText: "Filter" }).waitFor();
  await expect.poll(() => block("cups")).toBe("paused");

  const before = page.url();
  await handle.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator(".scrubber-text").textContent()).toContain("After wave 1");
  await page.locator("[data-fork]").click();
  await question(page, "Which grind").waitFor();
  const forked = page.url();
  expect(forked).not.toBe(before);
  await page.goto(before);
  await cups.waitFor();
  await page.locator(".fork", { hasText: "Waits for you" }).getByRole("link").click();
  await question(page, "Which grind").waitFor();
  expect(page.url()).toBe(forked);
  expect(faults).toEqual([]);
});

test.each(["rjsf", "json-forms", "survey-js"])(
  "the same question, with what was typed and what is suggested, is drawn by %s",
  { timeout: 60_000 },
  async (renderer) => {
    const { page, faults } = await openPage();
    await page.locator(start("workshop-seat")).click();
    await question(page, "boat-building").getByLabel("Your name").fill("Ada");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.locator("select[name=renderer]").selectOption(renderer);
    const foreign = page.locator(`demo-foreign-question[data-renderer=${renderer}]`);
    const name = foreign.getByLabel(/Your name/);
    await expect.poll(() => name.inputValue()).toBe("Ada");
    await expect.poll(() => foreign.getByLabel(/Seats/).inputValue()).toBe("1");
    await name.fill("Grace");
    await name.blur();
    await expect
      .poll(async () => {
        await page.locator("select[name=renderer]").selectOption("wavepoint");
        return question(page, "boat-building").getByLabel("Your name").inputValue();
      })
      .toBe("Grace");
    expect(faults).toEqual([]);
  },
);

test("a run is saved as a file, deleted, and goes on from the file", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await begin(page, "expense-approval");
  await question(page, "Approve").waitFor();
  const address = page.url();
  const [saved] = await Promise.all([page.waitForEvent("download"), chooseMore(page, "Export as a file")]);
  expect(saved.suggestedFilename()).toMatch(/^run_\w+\.run$/);
  const text = readFileSync(await saved.path(), "utf8");

  await chooseMore(page, "Delete run");
  await page.locator("dialog").getByRole("button", { name: "Delete run" }).click();
  await expect.poll(() => page.url()).not.toBe(address);

  const file = (content: string) => ({ name: "a.run", mimeType: "application/octet-stream", buffer: Buffer.from(content) });
  await page.getByLabel("Open a saved run").setInputFiles(file(text.slice(0, -20)));
  await page.locator(".notice.problem").getByRole("button", { name: "Close" }).click();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.getByLabel("Open a saved run").setInputFiles(file(text));
  await question(page, "Approve").getByRole("button", { name: "Yes" }).click();
  await output(page, "Payment").waitFor();
  expect(page.url()).toBe(address);
  expect(faults).toEqual([]);
});

test("a page says that the browser lost its database, and a new one is begun", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("dinner-party")).click();
  await question(page, "How many people").waitFor();
  // What is kept is noted where only pages can: when they open it.
  await page.reload();
  await question(page, "How many people").waitFor();
  // A page of the same origin that has nothing open.
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  await page.goto(new URL("icon.svg", demo().address).href);
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase("wavepoint-demo");
        request.addEventListener("success", () => resolve());
        request.addEventListener("error", () => reject(new Error("The database was not deleted.")));
      }),
  );
  await page.goto(demo().address + EXAMPLES);
  await page.getByRole("heading", { name: "Your runs are gone" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.locator(start("dinner-party")).click();
  await question(page, "How many people").waitFor();
  await page.reload();
  await question(page, "How many people").waitFor();
  expect(faults).toEqual([]);
});
