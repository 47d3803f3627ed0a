import type { Page } from "playwright";
import { expect, test } from "vitest";
import type { LongRunShape } from "../support/long-run.ts";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import { countBegun, findRepeated } from "../support/witness.ts";

const pages = pagesInChrome();

async function openTab(name: string, shape: LongRunShape): Promise<Page> {
  const page = await pages.open("long-run");
  await page.evaluate(([name, shape]) => longRun.open(name, shape), [name, shape] as const);
  return page;
}

test("D8: two tabs that both go on with one run: each block begins once, and both learn the end", async () => {
  const shape = { rounds: 4, parallel: 3, delayMs: 20 };
  const first = await openTab("together", shape);
  const second = await openTab("together", shape);
  const endings = await Promise.all([first, second].map((tab) => tab.evaluate(() => longRun.finish())));
  expect(endings).toEqual(["success", "success"]);
  const [one, other] = await Promise.all([first, second].map((tab) => tab.evaluate(() => longRun.steps())));
  expect(one).toEqual(other);
  expect(one!.length).toBe(shape.rounds * (1 + shape.parallel) + 1 + 3);
  expect([...countBegun(pages.lines).values()].filter((count) => count !== 1)).toEqual([]);
  expect(findRepeated(pages.lines)).toEqual([]);
});

test("D9: two tabs that answer one question differently at the same time: one wins, and the other learns so", async () => {
  const shape = { rounds: 1, parallel: 1, delayMs: 1 };
  const first = await openTab("at-odds", shape);
  const { pauses } = await first.evaluate(() => longRun.untilAsked());
  const second = await openTab("at-odds", shape);
  const results = await Promise.all([
    first.evaluate((pause) => longRun.answer(pause, "first"), pauses![0]!.id),
    second.evaluate((pause) => longRun.answer(pause, "second"), pauses![0]!.id),
  ]);
  const winner = results.findIndex(({ status }) => status === "success");
  expect(results[1 - winner]).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
  expect(results[winner]!.outputs).toEqual({ "round-0": `${["first", "second"][winner]!} work-0-0` });
});

test("a tab that is closed in the middle of a wave leaves the run to the other", async () => {
  const shape = { rounds: 2, parallel: 3, delayMs: 200 };
  const first = await openTab("left-behind", shape);
  const before = pages.lines.length;
  void first.evaluate(() => longRun.finish()).catch(() => undefined);
  await expect.poll(() => pages.lines.slice(before).filter(({ type }) => type === "began").length).toBeGreaterThan(1);
  const second = await openTab("left-behind", shape);
  const ending = second.evaluate(() => longRun.finish());
  await first.close();
  expect(await ending).toBe("success");
  expect(findRepeated(pages.lines.slice(before))).toEqual([]);
});
