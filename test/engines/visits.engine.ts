import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serveBuiltPages, type BuiltPages } from "../support/built-pages.ts";
import type { GuardedProcess } from "../support/guarded-process.ts";
import { countBegun, findUnsteadyKeys } from "../support/witness.ts";
import { ENGINES, type PeopleBrowser } from "./people-browser.ts";

const PATIENCE_MS = 60_000;

let pages: BuiltPages;
let browser: PeopleBrowser | undefined;
let started: GuardedProcess | undefined;

beforeAll(async () => {
  pages = await serveBuiltPages({ entries: { visitor: new URL("pages/visitor.ts", import.meta.url) } });
}, PATIENCE_MS);
afterAll(() => pages.close());
afterEach(async () => {
  await started?.kill();
  browser?.remove();
});

describe.each(ENGINES)("%s", (_name, make) => {
  test("a form is loaded again while it waits with a draft and while it works, and its browser is killed after a file was sent in: all is there", async ({
    skip,
  }) => {
    browser = await make();
    if (!browser) return skip("not installed");
    const start = pages.lines.length;
    const lines = () => pages.lines.slice(start);
    const told = async (type: string) => {
      await expect.poll(() => lines().map((line) => line.type), { timeout: PATIENCE_MS, interval: 20 }).toContain(type);
    };
    started = browser.start(`${pages.origin}/visitor`);
    await told("answered");
    await started.kill();
    started = browser.start(`${pages.origin}/visitor`);
    await told("finished");

    const found = lines().flatMap((line) => (line.type === "ready" ? [line.by] : []));
    // Twice the same where the browser brings back the tab it had, beside the new one.
    expect([...new Set(found)].map((text) => JSON.parse(text) as unknown)).toEqual([
      ["Name?", null],
      ["Name?", "half a wo"],
      ["Photo?", null],
      ["Where?", "In the cel"],
    ]);
    expect([...countBegun(lines()).values()]).toEqual([2]);
    expect(findUnsteadyKeys(lines())).toEqual([]);
    const [hash] = lines().flatMap((line) => (line.type === "answering" ? [line.response] : []));
    const [answers] = lines().flatMap((line) => (line.type === "finished" ? [line.by] : []));
    expect(JSON.parse(answers!)).toEqual(["half a word", "crack.jpg", hash, "In the cellar"]);
  });
});
