import { expect, test } from "vitest";
import { serveBuiltPages } from "../support/built-pages.ts";
import { createProfile, startChrome } from "../support/chrome.ts";

test("Chromium knows the open questions as tools, uses them, and forgets those that were answered", { timeout: 60_000 }, async () => {
  const pages = await serveBuiltPages({
    entries: { offering: new URL("pages/offering.ts", import.meta.url) },
    headers: { "origin-agent-cluster": "?1" },
  });
  const profile = createProfile();
  const chrome = await startChrome(profile, ["--enable-features=WebMCP"]);
  try {
    const page = await chrome.context.newPage();
    await page.goto(`${pages.origin}/offering`);
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe("ready");
    expect(await page.evaluate(() => offering.tools())).toEqual([{ name: "answer-where-0", description: "Where to?" }]);
    expect(await page.evaluate(() => offering.use("answer-where-0", { answer: "Turin" }))).toContain("answer-sure-1");
    expect((await page.evaluate(() => offering.tools())).map(({ name }) => name)).toEqual(["answer-sure-1"]);
    expect(await page.evaluate(() => offering.use("answer-sure-1", { answer: "yes" }))).toContain("Turin");
    expect(await page.evaluate(() => offering.tools())).toEqual([]);
    expect(await page.evaluate(() => offering.outputs())).toEqual({ to: "Turin" });
  } finally {
    await chrome.kill();
    profile.remove();
    await pages.close();
  }
});
