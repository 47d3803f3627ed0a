import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FrameLocator, Locator, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { tabTo } from "./built-demo.ts";
import { EXAMPLES, openTool, start, useBuiltDemo } from "./open-demo.ts";

const { openPage } = useBuiltDemo();

const AXE = readFileSync(fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

/** Expects of something what it will be soon: a worker that starts on a busy machine takes its time. */
function eventually<T>(look: () => Promise<T>) {
  return expect.poll(look);
}

/** The question that is asked now. */
function asked(page: Page | FrameLocator, text: string): Locator {
  return page.getByRole("form", { name: text });
}

/** Begins the workflow with three questions, and waits for the first. */
async function beginDinner(page: Page): Promise<void> {
  await page.locator(start("dinner-party")).click();
  await asked(page, "How many people").waitFor();
}

async function sayHowMany(page: Page | FrameLocator): Promise<void> {
  const form = asked(page, "How many people");
  await form.getByRole("textbox").fill("4");
  await form.getByRole("button", { name: "Continue" }).click();
}

/** Where the outputs of a run that has ended are shown, with this among them. */
function outcome(page: Page, text: string): Locator {
  return page.locator("wavepoint-run", { hasText: text });
}

function counter(page: Page, name: string): Promise<string | null> {
  return page.locator(`[data-counter="${name}"] strong`).textContent();
}

/** The text of the workflow that is open in the editor. */
function editor(page: Page): Locator {
  return page.locator(".yaml-editor .cm-content");
}

/** Changes the text in the editor as a paste over all of it does. */
async function rewrite(page: Page, change: (text: string) => string, workflow: string): Promise<void> {
  const source = readFileSync(fileURLToPath(new URL(`../../demo/workflows/${workflow}.yaml`, import.meta.url)), "utf8");
  await editor(page).focus();
  await page.keyboard.press("Control+a");
  await editor(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, change(source));
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;

/** What axe finds in the tools. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run(".tools", { runOnly, resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  }, RULES);
}

test(
  "a worker that is killed in the middle of a block does nothing twice, and the run goes on by itself",
  { timeout: 90_000 },
  async () => {
    const { page, faults } = await openPage();
    await openTool(page, "worker");
    await page.getByRole("button", { name: "Stamp five letters" }).click();
    await eventually(() => counter(page, "stamped")).toBe("2");
    await page.getByRole("button", { name: "Kill the worker" }).click();
    await page.locator(".run-title .badge[data-status=completed]").waitFor({ timeout: 40_000 });
    await eventually(() => counter(page, "kept")).toBe("5");
    await eventually(() => counter(page, "stamped")).toBe("5");
    expect(await counter(page, "tries")).toBe("7");
    expect(await counter(page, "kills")).toBe("1");
    await openTool(page, "storage");
    await eventually(() => page.locator("[data-type=recovered]").count()).toBe(1);
    expect(faults).toEqual([]);
  },
);

describe("faults", () => {
  for (const [fault, said] of [
    ["full", "This device has no room left"],
    ["lost", "The browser's storage could not be reached"],
  ] as const) {
    test(`with "${fault}" no answer is taken that was not stored, and it is taken once that is mended`, { timeout: 60_000 }, async () => {
      const { page, faults } = await openPage();
      await beginDinner(page);
      const panel = await openTool(page, "faults");
      await panel.locator(`[data-fault=${fault}] input`).check();
      await sayHowMany(page);
      await asked(page, "How many people").getByText(said).first().waitFor();
      expect(await asked(page, "How many people").getByRole("textbox").inputValue()).toBe("4");
      // The page says it once, no matter how many of its parts find it out.
      await page.locator("wavepoint-timeline:not([aria-busy])").waitFor();
      await eventually(() => page.locator(".notice").allInnerTexts()).toEqual([expect.stringContaining("may not be kept")]);
      await panel.getByRole("button", { name: "Mend everything" }).click();
      await panel.getByText("All is well.").waitFor();
      await asked(page, "How many people").getByRole("button", { name: "Continue" }).click();
      await asked(page, "in the oven").waitFor();
      expect(await page.getByText(said).count()).toBe(0);
      await page.reload();
      await asked(page, "in the oven").waitFor();
      expect(faults).toEqual([]);
    });
  }

  test("what a full store refuses far down a page is said once, where the person looks", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    const panel = await openTool(page, "faults");
    await panel.locator("[data-fault=full] input").check();
    await page.locator(start("stamp-letters")).click();
    const notices = page.locator(".notice");
    await page.getByRole("alert").getByRole("button", { name: "Close" }).waitFor();
    expect(await notices.count()).toBe(1);
    const { y } = (await notices.boundingBox())!;
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(y).toBeGreaterThanOrEqual(0);
    await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await eventually(() => notices.allInnerTexts()).toEqual([expect.stringContaining("may not be kept")]);
    expect(faults).toEqual([]);
  });

  test("without a network only what asks it fails, and is tried again", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage("#/workflow/http-retry");
    const panel = await openTool(page, "faults");
    await panel.locator("[data-fault=offline] input").check();
    await page.getByLabel("Token").fill("low-tide");
    await page.getByRole("button", { name: "Start HTTP retry" }).click();
    await openTool(page, "events");
    await panel.locator("tr[data-kind=attempted]", { hasText: "There is no network" }).first().waitFor();
    await openTool(page, "faults");
    await panel.locator("[data-fault=offline] input").uncheck();
    await page.locator(".run-title .badge[data-status=completed]").waitFor();
    expect(faults).toEqual([]);
  });

  test("a second page beside shows the same run, and takes its answers", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    await beginDinner(page);
    const panel = await openTool(page, "faults");
    await panel.getByRole("button", { name: "Open it beside" }).click();
    await sayHowMany(page.frameLocator(".second-tab"));
    await asked(page, "in the oven").waitFor();
    expect(faults).toEqual([]);
  });
});

describe("storage", () => {
  test("shows the records of a run, saves it, and takes it in again where it is dropped", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    await beginDinner(page);
    const panel = await openTool(page, "storage");
    await expect
      .poll(() => panel.locator(".record[data-type]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-type"))))
      .toEqual(["paused", "paused", "paused", "started"]);
    const last = panel.locator(".record[data-type=started]");
    await last.locator("summary").click();
    expect(JSON.parse(await last.locator("code").innerText())).toMatchObject({ type: "started", workflow: "dinner-party" });

    await sayHowMany(page);
    await panel.locator(".record[data-type=answered]").waitFor();

    const [saved] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name: "Save as a file" }).click()]);
    const text = readFileSync(await saved.path(), "utf8");
    const address = page.url();
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete run" }).click();
    await panel.getByText("Open a run to see its records.").waitFor();

    await drop(panel.locator(".drop-zone"), { name: "dinner.run", text: text.slice(0, -30) });
    await panel.locator(".tool-problem").waitFor();
    await drop(panel.locator(".drop-zone"), { name: "dinner.run", text });
    await asked(page, "in the oven").waitFor();
    expect(page.url()).toBe(address);
    await eventually(() => panel.locator(".tool-problem").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("a run that is handed over does not go on here until its file comes back", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    await beginDinner(page);
    const panel = await openTool(page, "storage");
    await panel.getByRole("button", { name: "Hand over" }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("dialog").getByRole("button", { name: "Hand it over" }).click(),
    ]);
    await panel.locator(".figures").getByText("handed over to my other browser").waitFor();
    await panel.getByLabel("Open a run from a file").setInputFiles(await saved.path());
    await panel.locator(".figures").getByText("handed over to my other browser").waitFor({ state: "detached" });
    await sayHowMany(page);
    await asked(page, "in the oven").waitFor();
    expect(faults).toEqual([]);
  });
});

describe("editor", () => {
  test("says what is wrong at its place, and writes what was meant", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    const panel = await openTool(page, "editor");
    await panel.locator("select").selectOption("dinner-party");
    await rewrite(page, (text) => text.replace("type: PopulateTemplate", "type: PopulateTemplat"), "dinner-party");
    await panel.getByText("1 error.").waitFor();
    await eventually(() => page.locator(".yaml-editor .cm-lintRange-error").textContent()).toBe("PopulateTemplat");
    await panel.getByRole("button", { name: /^Line 24, column 11/ }).click();
    await eventually(() => editor(page).evaluate((element) => element.matches(":focus"))).toBe(true);
    await panel.getByRole("button", { name: "Write PopulateTemplate" }).click();
    await panel.getByText("Nothing is wrong with it.").waitFor();
    await eventually(() => page.locator(".yaml-editor .cm-lintRange-error").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("a run that waits moves to a changed definition, and one whose past would change is forked", { timeout: 90_000 }, async () => {
    const { page, faults } = await openPage();
    await beginDinner(page);
    const address = page.url();
    const panel = await openTool(page, "editor");
    const plan = panel.locator(".move-plan");
    await panel.locator(".move-plan[data-verdict=same]").waitFor();

    const changed = (text: string): string => text.replace("Warm olives and bread", "Radishes and butter");
    await rewrite(page, changed, "dinner-party");
    await panel.locator(".move-plan[data-verdict=compatible]").waitFor();
    expect(await plan.locator(".differences li").innerText()).toContain("menu");
    await plan.getByRole("button", { name: "Keep it and move the run" }).click();
    await panel.locator(".move-plan[data-verdict=same]").waitFor();
    expect(page.url()).toBe(address);

    await sayHowMany(page);
    await asked(page, "in the oven").getByLabel("Lemon chicken").check();
    await asked(page, "in the oven").getByRole("button", { name: "Continue" }).click();
    await asked(page, "dessert").getByRole("button", { name: "No", exact: true }).click();
    await outcome(page, "Radishes and butter").waitFor();

    await rewrite(page, (text) => changed(text).replace("Coffee and dates", "Coffee and figs"), "dinner-party");
    await panel.locator(".move-plan[data-verdict=fork]").waitFor();
    await plan.getByRole("button", { name: /^Keep it and fork/ }).click();
    await outcome(page, "Coffee and figs").waitFor();
    expect(page.url()).not.toBe(address);
    await page.reload();
    await outcome(page, "Radishes and butter").waitFor();
    expect(faults).toEqual([]);
  });

  test("a workflow of your own is kept, runs after a reload, and can be given up", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    const panel = await openTool(page, "editor");
    // Kept at once, while its text is still being checked.
    await panel.evaluate((tool) => {
      const select = tool.querySelector("select")!;
      select.value = "";
      select.dispatchEvent(new Event("change"));
      [...tool.querySelectorAll("button")].find(({ textContent }) => textContent?.trim() === "Keep")!.click();
    });
    await panel.getByText("My workflow is kept in this browser.").waitFor();
    await page.reload();
    await page.locator(start("my-workflow")).click();
    await asked(page, "What is your name?").getByRole("textbox").fill("Ada");
    await asked(page, "What is your name?").getByRole("button", { name: "Continue" }).click();
    await outcome(page, "Hello, Ada!").waitFor();
    await openTool(page, "editor");
    await panel.getByRole("button", { name: "Give up my version" }).click();
    await page.locator("dialog").getByRole("button", { name: "Give it up" }).click();
    await page.goto(new URL(EXAMPLES, page.url()).href);
    await eventually(() => page.locator(start("my-workflow")).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("can be left with the keyboard", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    await page.locator("#tool-worker").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await editor(page).waitFor();
    await tabTo(page, ".yaml-editor");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.matches(".yaml-editor"))).toBe(true);
    await page.getByText("To leave the editor, press Escape, then Tab.").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.matches(".yaml-editor"))).toBe(false);
    expect(faults).toEqual([]);
  });

  test("a block is written with completions, kept and run with the keyboard alone", { timeout: 60_000 }, async () => {
    const { page, faults } = await openPage();
    const { keyboard } = page;
    const completed = async (option: string): Promise<void> => {
      await page.locator(".yaml-editor [role=option][aria-selected]", { hasText: option }).waitFor();
      // CodeMirror takes no key for a choice that it has shown for less than 75 ms.
      await page.waitForTimeout(100);
      await keyboard.press("Enter");
    };
    await page.locator("#tool-worker").focus();
    await keyboard.press("ArrowLeft");
    await keyboard.press("ArrowLeft");
    await editor(page).waitFor();
    await tabTo(page, "#tool-panel select");
    await keyboard.press("End");
    await page.locator("#tool-panel").getByText("Nothing is wrong with it.").waitFor();
    await tabTo(page, ".yaml-editor");
    for (const key of ["Control+Home", ...Array<string>(12).fill("ArrowDown"), "End", "Enter", "Shift+Tab", "Shift+Tab"])
      await keyboard.press(key);
    await keyboard.type("- id: more\nty");
    await completed("type");
    await keyboard.type("Ech");
    await completed("EchoBlock");
    // Below a key the next line stands deeper by itself.
    await keyboard.type("\ninputs:\n");
    await keyboard.press("Control+Space");
    await keyboard.type("mes");
    await completed("message");
    await keyboard.type("Written by hand");
    expect(await editor(page).locator(".cm-line").nth(16).textContent()).toBe("      message: Written by hand");
    await page.locator("#tool-panel .graph", { hasText: "more" }).waitFor();
    // The first one, right after the last letter, may only say that no completions are wanted.
    for (const key of ["Escape", "Escape", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) await keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Keep and run");
    await keyboard.press("Enter");
    await asked(page, "What is your name?").waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe("What is your name?");
    await page.locator("wavepoint-timeline", { hasText: "More" }).waitFor();
    expect(faults).toEqual([]);
  });
});

test("events are listed as they happen, by kind, and can be held and cleared", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const panel = await openTool(page, "events");
  await page.locator(start("dinner-party")).click();
  await panel.locator("tr[data-kind=paused]").first().waitFor();
  await panel.locator("select").selectOption("paused");
  await eventually(() => panel.locator("tbody tr").count()).toBe(3);
  await panel.getByRole("button", { name: "Pause" }).click();
  await sayHowMany(page);
  await asked(page, "in the oven").waitFor();
  await panel.locator("select").selectOption("");
  expect(await panel.locator("tr[data-kind=answered]").count()).toBe(0);
  await panel.getByRole("button", { name: "Pause" }).click();
  await panel.locator("tr[data-kind=answered]").waitFor();
  await panel.getByRole("button", { name: "Clear" }).click();
  await panel.getByText("Nothing yet.").waitFor();
  expect(faults).toEqual([]);
});

describe("every tool is accessible", () => {
  // One after another in light and in dark colours; in the long tier each in both.
  test("axe finds nothing, light and dark", { timeout: 90_000 }, async () => {
    const { page } = await openPage();
    await beginDinner(page);
    for (const [i, tool] of (["worker", "faults", "storage", "editor", "events"] as const).entries()) {
      const panel = await openTool(page, tool);
      if (tool === "editor") {
        await rewrite(page, (text) => text.replace("type: PopulateTemplate", "type: PopulateTemplat"), "dinner-party");
        await panel.getByText("1 error.").waitFor();
      }
      if (tool === "storage") await panel.locator(".record summary").first().click();
      for (const colorScheme of IS_LONG ? (["light", "dark"] as const) : [i % 2 === 0 ? ("dark" as const) : ("light" as const)]) {
        await page.emulateMedia({ colorScheme });
        expect([tool, ...(await violations(page))]).toEqual([tool]);
      }
    }
  });
});

/** Drops a file on an element, as the browser tells of it. */
async function drop(place: Locator, file: { readonly name: string; readonly text: string }): Promise<void> {
  const transfer = await place.evaluateHandle((_element, { name, text }) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    return data;
  }, file);
  await place.dispatchEvent("drop", { dataTransfer: transfer });
}
