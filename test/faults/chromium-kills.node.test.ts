import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serveBuiltPages, type BuiltPages } from "../support/built-pages.ts";
import { createProfile, startChrome, type Chrome, type Profile } from "../support/chrome.ts";
import { FAULT_PAGES } from "../support/fault-pages.ts";
import type { LongRunShape } from "../support/long-run.ts";
import { seededChance } from "../support/seeded.ts";
import { FEATURE_EXECUTIONS, FEATURE_WIDTH } from "../support/every-feature.ts";
import {
  countBegun,
  countProgress,
  findLeftOpen,
  findMadeAgain,
  findOpenedAgain,
  findRepeated,
  findUnsteadyKeys,
  listSignalled,
  listStored,
  type Testimony,
} from "../support/witness.ts";

const KILLS = Number(process.env.WAVEPOINT_CHROMIUM_KILLS ?? (process.env.WAVEPOINT_LONG === undefined ? 3 : 200));
/** The whole browser, the processes that execute pages, or the page alone, by its own order: in turns. */
const WAYS = ["browser", "renderers", "page"] as const;
/** Lines that the page tells between two kills: up to about one round. */
const MOST_LINES = 9;

const MOST_ATTEMPTS = 3;

const chance = seededChance();
let pages: BuiltPages;
let profile: Profile;
let chrome: Chrome | undefined;

beforeAll(async () => {
  pages = await serveBuiltPages({ entries: FAULT_PAGES });
});
afterAll(() => pages.close());
beforeEach(() => {
  profile = createProfile();
});
afterEach(async () => {
  await killChrome();
  profile.remove();
});

async function killChrome(): Promise<void> {
  const killed = chrome;
  chrome = undefined;
  await killed?.kill();
}

/** Kills what executes the page; only the first way takes the browser along. */
async function killPage(page: Page, way: (typeof WAYS)[number]): Promise<void> {
  if (way === "browser") return killChrome();
  const crashed = new Promise<void>((resolve) => page.once("crash", () => resolve()));
  if (way === "renderers") chrome!.killRenderers();
  else void (await page.context().newCDPSession(page)).send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}

/** Chromium found its files damaged after a kill and has removed all that the origin had stored, with any library. */
class StorageLost extends Error {
  /** Whether the store said so. It cannot where Chromium lost the mark as well. */
  readonly told: boolean;

  constructor(told: boolean) {
    super("The browser came back without the origin's databases.");
    this.told = told;
  }
}

/** What is to be found in the profile, and whether its loss is accepted. */
interface Expectation {
  readonly run?: string | undefined;
  readonly onReset?: "accept";
}

/** Starts Chromium on the profile and opens the run that is stored there, or starts one where none is expected. */
async function openPage(
  name: string,
  shape: LongRunShape,
  expected: Expectation = {},
): Promise<{ readonly page: Page; readonly run: string }> {
  chrome ??= await startChrome(profile);
  const { context } = chrome;
  // A process that Chromium kept in reserve may have been killed with the others.
  const page = await context.newPage().catch(() => context.newPage());
  await page.goto(`${pages.origin}/long-run`);
  await expect.poll(() => page.title()).toBe("ready");
  const { run, noted } = await page.evaluate(([name, shape, onReset]) => longRun.open(name, shape, onReset), [
    name,
    shape,
    expected.onReset,
  ] as const);
  if (run === undefined || (expected.run !== undefined && noted === undefined)) throw new StorageLost(run === undefined);
  expect(run).toBe(expected.run ?? run);
  return { page, run };
}

/** Tries once more where the browser itself had lost everything. */
async function unlessStorageIsLost(play: (name: string) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await play(`attempt-${attempt}`);
    } catch (error) {
      if (!(error instanceof StorageLost) || attempt === MOST_ATTEMPTS) throw error;
      await killChrome();
    }
  }
}

const linesOf = (run: string): readonly Testimony[] => {
  // Called runs have ids of their own; every page of a test is on the same run.
  const first = pages.lines.findIndex((line) => line.run === run);
  return first < 0 ? [] : pages.lines.slice(first);
};

/** Nothing that was known to be stored, and no answer that was taken, is lost, changed, or done again. */
async function expectKept(page: Page, run: string, where: string): Promise<void> {
  const lines = linesOf(run);
  const kept = await page.evaluate(() => longRun.steps());
  expect(
    listStored(lines).filter((step) => !kept.includes(step)),
    where,
  ).toEqual([]);
  const answered = lines.flatMap((line) => (line.type === "answered" ? [line.response] : []));
  expect(await page.evaluate(() => longRun.answers()), where).toEqual(expect.arrayContaining(answered));
  expect(findRepeated(lines), where).toEqual([]);
  expect(findUnsteadyKeys(lines), where).toEqual([]);
  expect(findMadeAgain(lines), where).toEqual([]);
  expect(findOpenedAgain(lines), where).toEqual([]);
  const signals = await page.evaluate(() => longRun.signals());
  expect(signals, where).toEqual(expect.arrayContaining([...listSignalled(lines)]));
  expect(new Set(signals).size, where).toBe(signals.length);
}

describe("D1: Chromium killed with -9", () => {
  test("in the middle of a wizard: after the restart the third question is on the screen, and the first two are answered", () =>
    unlessStorageIsLost(async (name) => {
      const shape = { rounds: 4, parallel: 1, delayMs: 1 };
      const { page, run } = await openPage(name, shape);
      for (const who of ["Ada", "Grace"]) {
        const { pauses } = await page.evaluate(() => longRun.untilAsked());
        await page.evaluate(([pause, who]) => longRun.answer(pause, who), [pauses![0]!.id, who] as const);
      }
      const before = await page.evaluate(() => longRun.view());
      expect(before).toMatchObject({ status: "paused", questions: ["round 2"] });
      await killChrome();

      const again = await openPage(name, shape, { run });
      expect(await again.page.evaluate(() => longRun.view())).toEqual(before);
      await expectKept(again.page, run, "after the kill");
      const kept = await again.page.evaluate(() => longRun.steps());
      expect(kept).toEqual(expect.arrayContaining([`${run}/ask-0 Ada`, `${run}/ask-1 Grace`]));
      expect(await again.page.evaluate(() => longRun.finish())).toBe("success");
      expect([...countBegun(linesOf(run)).values()].filter((count) => count !== 1)).toEqual([]);
    }));

  test("during a wave of delayed blocks: what had finished is kept, and only the others begin again", () =>
    unlessStorageIsLost(async (name) => {
      const shape = { rounds: 1, parallel: 5, delayMs: 300 };
      const { page, run } = await openPage(name, shape);
      const { pauses } = await page.evaluate(() => longRun.untilAsked());
      void page.evaluate((pause) => longRun.answer(pause, "go"), pauses![0]!.id).catch(() => undefined);
      await expect.poll(() => linesOf(run).filter(({ type }) => type === "began").length).toBe(5);
      await killChrome();

      const again = await openPage(name, shape, { run });
      expect(await again.page.evaluate(() => longRun.view())).toMatchObject({
        status: "running",
        questions: [],
        blocks: { "ask-0": "completed" },
      });
      expect(await again.page.evaluate(() => longRun.finish())).toBe("success");
      await expectKept(again.page, run, "after the kill");
      expect([...countBegun(linesOf(run)).values()].some((count) => count === 2)).toBe(true);
    }));

  test(`${KILLS} times on one run, at random moments: nothing stored is lost or done again, and the run ends`, async () => {
    const shape = { rounds: KILLS + 2, parallel: 3, hasFeatures: true, delayMs: 120 };
    let run: string | undefined;
    let losses = 0;
    let told = 0;
    async function continueRun() {
      const opened = await openPage("long-way", shape, { run }).catch(async (error: unknown) => {
        if (!(error instanceof StorageLost)) throw error;
        losses += 1;
        told += error.told ? 1 : 0;
        await killChrome();
        return openPage("long-way", shape, { onReset: "accept" });
      });
      run = opened.run;
      return opened;
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const where = `WAVEPOINT_SEED=${chance.seed}, kill ${kill}`;
      const opened = await continueRun();
      await expectKept(opened.page, opened.run, where);
      const enough = countProgress(pages.lines) + chance.between(0, MOST_LINES);
      void opened.page.evaluate(() => longRun.finish()).catch(() => undefined);
      await expect.poll(() => countProgress(pages.lines), { timeout: 30_000, interval: 5, message: where }).toBeGreaterThan(enough);
      await killPage(opened.page, WAYS[kill % WAYS.length]!);
    }
    const last = await continueRun();
    expect(losses).toBeLessThan(KILLS / 2);
    await expectKept(last.page, last.run, `WAVEPOINT_SEED=${chance.seed}, the end`);
    expect(await last.page.evaluate(() => longRun.finish())).toBe("success");
    await expectKept(last.page, last.run, `WAVEPOINT_SEED=${chance.seed}, the end`);
    const outputs = await last.page.evaluate(() => longRun.outputs());
    expect(outputs).toMatchObject({ "round-0": "answer to round 0 work-0-0", "call-2": "answer to called" });
    const lines = linesOf(last.run);
    const counts = [...countBegun(lines).values()];
    const again = counts.reduce((sum, count) => sum + count - 1, 0);
    const rich = Math.floor((shape.rounds + 1) / 3);
    const called = Math.floor(shape.rounds / 3);
    expect(counts.length).toBe(shape.rounds * shape.parallel + called * 2 + rich * FEATURE_EXECUTIONS);
    // A kill, or a stop, hits the blocks of one wave, with those of a called run at most.
    const stops = rich * 2;
    expect(again).toBeLessThanOrEqual((KILLS + stops) * (shape.parallel + 1 + FEATURE_WIDTH));
    expect(findLeftOpen(lines)).toEqual([]);
    const files = await last.page.evaluate(() => longRun.files());
    expect(files).toHaveLength(rich * 2);
    if (process.env.WAVEPOINT_LONG !== undefined) {
      const look = await last.page.evaluate(() => longRun.view());
      const stored = listStored(lines).length;
      process.stdout.write(
        `${KILLS} kills of Chromium, ${stored} stored steps kept, ${again} blocks killed at work, ${losses} times the browser lost all it had, ${told} times the store said so; seed ${chance.seed}; ${JSON.stringify(look)}\n`,
      );
    }
  });
});
