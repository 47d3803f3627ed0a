import type { Page } from "playwright";
import { expect, test } from "vitest";
import type { LongRunShape } from "../support/long-run.ts";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import { rendererOf } from "../support/renderer.ts";
import { countBegun } from "../support/witness.ts";

const pages = pagesInChrome();

async function openTab(name: string, shape: LongRunShape): Promise<Page> {
  const page = await pages.open("tab");
  await page.evaluate(([name, shape]) => tab.open(name, shape), [name, shape] as const);
  return page;
}

const look = (page: Page) => page.evaluate(() => tab.look());

async function openQuestion(page: Page): Promise<string> {
  await expect.poll(async () => Object.keys((await look(page)).open).length).toBe(1);
  return Object.keys((await look(page)).open)[0]!;
}

/** Lets the blocks of a tab work until the function is called: what they tell at their end does not arrive before. */
async function keepAtWork(page: Page): Promise<() => void> {
  let end = (): void => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  await page.route("**/witness", async (route) => {
    if (route.request().postData()?.includes('"ended"')) await isOver;
    // The page may be gone.
    await route.continue().catch(() => {});
  });
  return end;
}

test("what is answered or typed in one tab is shown in the other, which is not touched", async () => {
  const shape = { rounds: 3, parallel: 1, delayMs: 5 };
  const first = await openTab("followed", shape);
  const question = await openQuestion(first);
  const second = await openTab("followed", shape);
  await first.evaluate((pause) => tab.type(pause, "half a wo"), question);
  await expect.poll(() => look(second)).toMatchObject({ open: { [question]: "half a wo" } });
  await first.evaluate((pause) => tab.answer(pause, "a word"), question);
  const shown = await look(first);
  expect(shown.blocks).toMatchObject({ "ask-0": "completed", "work-0-0": "completed", "ask-1": "paused" });
  await expect.poll(() => look(second)).toEqual(shown);
});

test("a tab answers one question while another tab executes what follows from a second", async () => {
  const shape = { rounds: 3, parallel: 1, delayMs: 5 };
  const first = await openTab("at-once", shape);
  const second = await openTab("at-once", shape);
  const end = await keepAtWork(first);
  const answering = first.evaluate(async (pause) => tab.answer(pause, "go"), await openQuestion(first));
  await expect.poll(() => look(second)).toMatchObject({ status: "running", open: {} });
  end();
  await answering;
  const question = await openQuestion(second);
  const results = await Promise.all([
    first.evaluate((pause) => tab.answer(pause, "on"), question),
    second.evaluate((pause) => tab.answer(pause, "on"), question),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["paused", "paused"]);
  await expect.poll(async () => (await look(second)).blocks).toEqual((await look(first)).blocks);
});

test("D8: a tab that is frozen while its block works is superseded by another; when it wakes it follows", async () => {
  const shape = { rounds: 1, parallel: 1, delayMs: 5 };
  const first = await openTab("frozen", shape);
  const second = await openTab("frozen", shape);
  const frozen = await rendererOf(first);
  expect(await rendererOf(second)).not.toBe(frozen);
  const before = pages.lines.length;
  const end = await keepAtWork(first);
  const answered = first.evaluate((pause) => tab.answer(pause, "go"), await openQuestion(first));
  await expect.poll(() => pages.lines.slice(before).filter(({ type }) => type === "began").length).toBe(1);
  // A transaction that is open while its process stands still holds up all tabs, see docs/browser.md: this read comes after those of the engine.
  expect(await first.evaluate(() => tab.stored("frozen"))).toEqual(["go"]);
  process.kill(frozen, "SIGSTOP");
  try {
    await expect.poll(async () => (await look(second)).status, { timeout: 60_000 }).toBe("completed");
  } finally {
    process.kill(frozen, "SIGCONT");
  }
  end();
  expect((await answered).status).toBe("success");
  await expect.poll(() => look(first)).toEqual(await look(second));
  expect([...countBegun(pages.lines.slice(before)).values()]).toEqual([2]);
});

test("a tab that is killed while its block works is followed by one that had only looked on", async () => {
  const shape = { rounds: 1, parallel: 1, delayMs: 5 };
  const first = await openTab("killed", shape);
  const question = await openQuestion(first);
  const second = await openTab("killed", shape);
  const renderer = await rendererOf(first);
  const before = pages.lines.length;
  const end = await keepAtWork(first);
  void first.evaluate((pause) => tab.answer(pause, "go"), question).catch(() => undefined);
  await expect.poll(() => pages.lines.slice(before).filter(({ type }) => type === "began").length).toBe(1);
  process.kill(renderer, "SIGKILL");
  await expect.poll(async () => (await look(second)).status, { timeout: 60_000 }).toBe("completed");
  end();
  expect([...countBegun(pages.lines.slice(before)).values()]).toEqual([2]);
});
