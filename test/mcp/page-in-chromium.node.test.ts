import { expect, test } from "vitest";
import { serveBuiltPages } from "../support/built-pages.ts";
import { createProfile, startChrome } from "../support/chrome.ts";

interface Told {
  readonly status: string;
  readonly checkpoint_id: string;
  readonly outputs?: object;
}

test(
  "Chromium knows the tools of a page, starts a workflow by one, answers its questions, and forgets them",
  { timeout: 60_000 },
  async () => {
    const pages = await serveBuiltPages({
      entries: { offering: new URL("pages/offering.ts", import.meta.url) },
      headers: { "origin-agent-cluster": "?1", "content-security-policy": "default-src 'none'; script-src 'self'" },
    });
    const profile = createProfile();
    const chrome = await startChrome(profile, ["--enable-features=WebMCP"]);
    try {
      const page = await chrome.context.newPage();
      await page.goto(`${pages.origin}/offering`);
      await expect.poll(() => page.title()).toBe("ready");
      const use = async (name: string, input: object): Promise<Told> =>
        JSON.parse(String(await page.evaluate(([name, input]) => offering.use(name, input), [name, input] as const))) as Told;
      const known = await page.evaluate(() => offering.tools());
      expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(["list_runs", "answer_pause", "trip"]));
      const asked = await use("trip", {});
      expect(asked.status).toBe("paused");
      const again = await use("answer_pause", { checkpoint_id: asked.checkpoint_id, response: "Turin" });
      expect(await use("resume_workflow", { checkpoint_id: again.checkpoint_id, llm_response: "yes" })).toMatchObject({
        status: "success",
        outputs: { to: "Turin" },
      });
      await page.evaluate(() => offering.withdraw());
      expect(await page.evaluate(() => offering.tools())).toEqual([]);
      expect(await page.evaluate(() => offering.violations)).toEqual([]);
    } finally {
      await chrome.kill();
      profile.remove();
      await pages.close();
    }
  },
);
