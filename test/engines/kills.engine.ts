import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serveBuiltPages, type BuiltPages } from "../support/built-pages.ts";
import type { GuardedProcess } from "../support/guarded-process.ts";
import { seededChance } from "../support/seeded.ts";
import { countProgress, findRepeated, findUnsteadyKeys, type Testimony } from "../support/witness.ts";
import { ENGINES, type PeopleBrowser } from "./people-browser.ts";

const KILLS = Number(process.env.WAVEPOINT_ENGINE_KILLS ?? 5);
const MOST_LINES = 20;
const PATIENCE_MS = 60_000;

const chance = seededChance();
let browser: PeopleBrowser | undefined;
let started: GuardedProcess | undefined;
let pages: BuiltPages;

beforeAll(async () => {
  const page = (name: string) => new URL(`pages/${name}.ts`, import.meta.url);
  pages = await serveBuiltPages({ entries: { unattended: page("unattended"), pair: page("pair") } });
}, PATIENCE_MS);
afterAll(() => pages.close());
afterEach(async () => {
  await started?.kill();
  browser?.remove();
});

const finishedIn = (lines: readonly Testimony[]) => lines.filter(({ type }) => type === "finished");

async function until(condition: () => boolean, where: string): Promise<void> {
  await expect.poll(condition, { timeout: PATIENCE_MS, interval: 20, message: where }).toBe(true);
}

/** Steps that are known to be stored, and answers that were taken. */
function kept(lines: readonly Testimony[]): readonly string[] {
  const steps = lines.flatMap((line) => (line.type === "stored" ? [`${line.block} ${line.proof}`] : []));
  const answers = lines.flatMap((line) => (line.type === "answered" ? [line.response] : []));
  return [...new Set([...steps, ...answers])];
}

describe.each(ENGINES)("%s", (_name, make) => {
  test(`killed with -9 ${KILLS} times on one run: nothing that was stored is lost or done again, and the run ends`, async ({ skip }) => {
    browser = await make();
    if (!browser) return skip("not installed");
    const start = pages.lines.length;
    const lines = () => pages.lines.slice(start);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = countProgress(lines()) + chance.between(1, MOST_LINES);
      started = browser.start(`${pages.origin}/unattended`);
      await until(() => countProgress(lines()) >= enough, `WAVEPOINT_SEED=${chance.seed}, kill ${kill}`);
      await started.kill();
    }
    const before = kept(lines());
    expect(before.length).toBeGreaterThan(KILLS);
    const incarnations = new Set(lines().flatMap((line) => (line.type === "ready" ? [line.by] : [])));
    // A browser may bring back the tab that it had, beside the new one.
    expect(incarnations.size).toBeGreaterThanOrEqual(KILLS);
    expect(new Set(lines().flatMap((line) => (line.type === "ready" ? [line.run] : []))).size).toBe(1);

    started = browser.start(`${pages.origin}/unattended`);
    await until(() => finishedIn(lines()).length > 0, "the end");
    const told = () => lines().filter((line) => !incarnations.has(line.by));
    const stored = () => new Set(told().flatMap((line) => (line.type === "stored" ? [`${line.block} ${line.proof}`, line.proof] : [])));
    await until(() => before.every((one) => stored().has(one)), `WAVEPOINT_SEED=${chance.seed}: ${before.join(", ")}`);
    expect(findRepeated(lines())).toEqual([]);
    expect(findUnsteadyKeys(lines())).toEqual([]);
  });

  test("two tabs that answer one run: no answer is lost, none is taken twice, and both see the same", async ({ skip }) => {
    browser = await make();
    if (!browser) return skip("not installed");
    const start = pages.lines.length;
    const lines = () => pages.lines.slice(start);
    started = browser.start(`${pages.origin}/pair`, `${pages.origin}/pair`);
    await until(() => finishedIn(lines()).length === 2, "both tabs");
    const [one, other] = finishedIn(lines()).map(({ by }) => JSON.parse(by) as Readonly<Record<string, string>>);
    expect(one).toEqual(other);
    const answered = lines().flatMap((line) => (line.type === "answered" ? [line.response] : []));
    expect(answered.length).toBeGreaterThan(5);
    expect(answered.toSorted()).toEqual(Object.values(one!).toSorted());
    const began = lines().flatMap((line) => (line.type === "began" ? [`${line.run}/${line.block}`] : []));
    expect(began.filter((block, at) => began.indexOf(block) !== at)).toEqual([]);
  });
});
