import type { Page } from "playwright";
import { expect, test } from "vitest";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import { countBegun, findRepeated, findUnsteadyKeys, type Testimony } from "../support/witness.ts";

const pages = pagesInChrome();

/** The second round has all features, and waits for the event `go-1`. */
const SHAPE = { rounds: 2, parallel: 1, hasFeatures: true, delayMs: 60 };

async function openTab(name: string): Promise<Page> {
  const page = await pages.open("tab");
  await page.evaluate(([name, shape]) => tab.open(name, shape), [name, SHAPE] as const);
  return page;
}

/** Two tabs that show one run, whose last question is open, and the lines they write from then on. */
async function openTwo(name: string) {
  const first = await openTab(name);
  const told = pages.lines.length;
  const second = await openTab(name);
  await answerOpen(first);
  await expect.poll(() => shown(second)).toMatchObject({ open: { "pause_shared.1": null }, status: "paused" });
  return { first, second, news: (): readonly Testimony[] => pages.lines.slice(told) };
}

const shown = (page: Page) => page.evaluate(() => tab.look());

/** Answers the question that is open. */
async function answerOpen(page: Page) {
  await expect.poll(async () => Object.keys((await shown(page)).open)).toHaveLength(1);
  const [pause] = Object.keys((await shown(page)).open);
  return page.evaluate((pause) => tab.answer(pause, `answer to ${pause}`), pause!);
}

const countOf = (lines: readonly Testimony[], type: Testimony["type"]): number => lines.filter((line) => line.type === type).length;

/** Nothing that was stored was done again, and both tabs show the end. */
async function expectEnd(name: string, { first, second, news }: Awaited<ReturnType<typeof openTwo>>): Promise<void> {
  for (const page of [first, second]) await expect.poll(() => shown(page)).toMatchObject({ status: "completed", open: {} });
  expect(findRepeated(news())).toEqual([]);
  expect(findUnsteadyKeys(news())).toEqual([]);
  expect(await second.evaluate((name) => tab.signals(name), name)).toEqual(["go-1"]);
  expect(await first.evaluate((name) => tab.stored(name), name)).toEqual(["answer to pause_shared.0", "answer to pause_shared.1"]);
}

test("a signal from another tab, sent twice while the first executes, is taken once, and both show the end", async () => {
  const tabs = await openTwo("signalled");
  const answering = answerOpen(tabs.first);
  await expect.poll(() => countOf(tabs.news(), "began")).toBeGreaterThan(3);
  for (let times = 0; times < 2; times += 1) await tabs.second.evaluate(() => tab.signal("go-1", "the-same"));
  // On a slow machine the first tab had nothing more to do before the signal came.
  expect(["success", "paused"]).toContain((await answering).status);
  await expectEnd("signalled", tabs);
  expect([...countBegun(tabs.news()).values()].filter((count) => count !== 1)).toEqual([]);
});

test("a run that is stopped from another tab stops in the tab that executes it, and goes on in the other", async () => {
  const tabs = await openTwo("stopped");
  const { first, second, news } = tabs;
  const answering = answerOpen(first);
  await expect.poll(() => countOf(news(), "began")).toBeGreaterThan(3);
  expect(await second.evaluate(() => tab.stop())).toMatchObject({ status: "paused", reason: "stopped" });
  // On a slow machine the first tab waited for its signal already, and had given its result.
  expect(await answering).toMatchObject({ status: "paused" });
  for (const page of [first, second]) await expect.poll(() => shown(page)).toMatchObject({ status: "paused", reason: "stopped" });
  const begun = countOf(news(), "began");
  expect(await first.evaluate(() => tab.recover())).toEqual([]);
  await first.evaluate(() => tab.signal("go-1", "meanwhile"));
  await new Promise((resolve) => setTimeout(resolve, 3 * SHAPE.delayMs));
  expect(countOf(news(), "began")).toBe(begun);
  expect(await second.evaluate(() => tab.resume())).toMatchObject({ status: "success" });
  await expectEnd("stopped", tabs);
});

test("a stop while another tab answers leaves the run stopped and loses no answer", async () => {
  const tabs = await openTwo("at-odds");
  const { first, second } = tabs;
  const [answered, stopped] = await Promise.all([answerOpen(first), second.evaluate(() => tab.stop())]);
  expect(stopped).toMatchObject({ status: "paused", reason: "stopped" });
  expect(answered).toMatchObject({ status: "paused", reason: "stopped" });
  const question = (await shown(first)).open;
  expect(question).toEqual({});
  await Promise.all([first.evaluate(() => tab.signal("go-1", "late")), second.evaluate(() => tab.resume())]);
  await expectEnd("at-odds", tabs);
});
