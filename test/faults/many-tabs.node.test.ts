import type { Page } from "playwright";
import { expect, test } from "vitest";
import type { ErrorData } from "wavepoint";
import type { LongRunShape } from "../support/long-run.ts";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import { rendererOf } from "../support/renderer.ts";
import { seededChance } from "../support/seeded.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
/** How long the tabs are at it. */
const PLAY_MS = IS_LONG ? 60_000 : 4_000;
/** Longest time that a tab is frozen: longer than others wait for a sign of life. */
const FROZEN_MS = 7_000;
/** More than anybody can answer meanwhile. */
const SHAPE: LongRunShape = { rounds: 400, parallel: 1, delayMs: 40 };

const chance = seededChance();
const pages = pagesInChrome();

/** A tab of the browser and what becomes of it. */
interface Player {
  page: Page;
  renderer: number;
}

/** An answer on its way. Of one whose tab died no more is known. */
interface Attempt {
  readonly pause: string;
  readonly response: string;
  outcome: "taken" | "refused" | "unknown";
  /** Why it was refused. */
  error?: ErrorData;
}

type Deed = "answer" | "type" | "reload" | "close" | "kill" | "freeze";
const DEEDS: readonly Deed[] = [...Array.from({ length: 16 }, () => "answer" as const), "type", "reload", "close", "kill", "freeze"];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function openRun(page: Page, name: string): Promise<void> {
  await page.evaluate(([name, shape]) => tab.open(name, shape), [name, SHAPE] as const);
}

async function openTab(name: string): Promise<Player> {
  const page = await pages.open("tab");
  await openRun(page, name);
  return { page, renderer: await rendererOf(page) };
}

async function renew(player: Player, name: string): Promise<void> {
  await player.page.close().catch(() => undefined);
  Object.assign(player, await openTab(name));
}

async function answer({ page }: Player, attempts: Attempt[]): Promise<void> {
  const { open, status } = await page.evaluate(() => tab.look());
  const pause = Object.keys(open)[0];
  if (pause === undefined) return wait(status === "running" ? 20 : 200);
  const attempt: Attempt = { pause, response: `answer ${attempts.length}`, outcome: "unknown" };
  attempts.push(attempt);
  const result = await page.evaluate(([pause, response]) => tab.answer(pause, response), [pause, attempt.response] as const);
  attempt.outcome = result.status === "failure" ? "refused" : "taken";
  if (result.status === "failure") attempt.error = result.error;
}

async function act(deed: Deed, player: Player, { name, attempts }: { readonly name: string; readonly attempts: Attempt[] }): Promise<void> {
  const { page, renderer } = player;
  switch (deed) {
    case "answer":
      return answer(player, attempts);
    case "type":
      return page.evaluate(async () => {
        const pause = Object.keys(tab.look().open)[0];
        if (pause !== undefined) await tab.type(pause, "half a word").catch(() => {});
      });
    case "reload":
      await pages.load(page, "tab");
      return openRun(page, name);
    case "close":
      return renew(player, name);
    case "kill":
      process.kill(renderer, "SIGKILL");
      return renew(player, name);
    case "freeze":
      process.kill(renderer, "SIGSTOP");
      await wait(chance.between(500, FROZEN_MS));
      process.kill(renderer, "SIGCONT");
  }
}

const takenOf = (attempts: readonly Attempt[]): readonly Attempt[] => attempts.filter(({ outcome }) => outcome === "taken");

/** Does this and that in one tab until the time is up and enough answers were taken; in the middle of an answer too. */
async function play(
  player: Player,
  until: number,
  game: { readonly name: string; readonly enough: number; readonly attempts: Attempt[] },
): Promise<number> {
  let deeds = 0;
  while (Date.now() < until || takenOf(game.attempts).length < game.enough) {
    const deed = DEEDS[chance.between(0, DEEDS.length - 1)]!;
    if (deed !== "answer" && deed !== "type") void answer(player, game.attempts).catch(() => undefined);
    deeds += 1;
    await act(deed, player, game).catch(async (error: unknown) => {
      if (error instanceof Error && error.name === "AssertionError") throw error;
      // The page went away under what was asked of it.
      await renew(player, game.name);
    });
  }
  return deeds;
}

for (const count of IS_LONG ? [2, 5] : [3]) {
  test(`D8, D9: ${count} tabs on one run that answer, load again, close, die and freeze: no answer is lost, none counts twice, all show the same`, async () => {
    const game = { name: `game-${count}`, enough: count + 1, attempts: [] as Attempt[] };
    const players: Player[] = [];
    for (let i = 0; i < count; i += 1) players.push(await openTab(game.name));
    const until = Date.now() + PLAY_MS;
    const deeds = await Promise.all(players.map((player) => play(player, until, game)));

    const where = `WAVEPOINT_SEED=${chance.seed}`;
    const looks = () => Promise.all(players.map(({ page }) => page.evaluate(() => tab.look())));
    await expect
      .poll(async () => new Set((await looks()).map(({ status }) => status)), { timeout: 60_000, message: where })
      .toEqual(new Set(["paused"]));
    const last = await openTab(game.name);
    // What was left in the middle may still go on in one of them.
    const shown = async () => new Set([...(await looks()), await last.page.evaluate(() => tab.look())].map((look) => JSON.stringify(look)));
    await expect.poll(async () => (await shown()).size, { timeout: 60_000, message: where }).toBe(1);

    const { attempts, name } = game;
    const stored = await last.page.evaluate((name) => tab.stored(name), name);
    const isStored = ({ response }: Attempt): boolean => stored.includes(response);
    const taken = takenOf(attempts);
    expect(
      taken.filter((attempt) => !isStored(attempt)),
      where,
    ).toEqual([]);
    expect(
      attempts.filter(({ error }) => error !== undefined && error.code !== "PAUSE_ALREADY_ANSWERED"),
      where,
    ).toEqual([]);
    expect(
      attempts.filter((attempt) => attempt.outcome === "refused" && isStored(attempt)),
      where,
    ).toEqual([]);
    expect(new Set(taken.map(({ pause }) => pause)).size, where).toBe(taken.length);
    expect(stored.length, where).toBe(new Set(stored).size);
    expect(
      stored.filter((response) => !attempts.some((attempt) => attempt.response === response)),
      where,
    ).toEqual([]);
    if (IS_LONG) {
      const sum = deeds.reduce((total, number) => total + number, 0);
      process.stdout.write(
        `${count} tabs, ${sum} deeds, ${attempts.length} answers sent, ${taken.length} taken, ${stored.length} stored; seed ${chance.seed}\n`,
      );
    }
    for (const { page } of [...players, last]) await page.close();
  });
}
