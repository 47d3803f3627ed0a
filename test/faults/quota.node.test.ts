import { expect, test } from "vitest";
import { pagesInChrome } from "../support/pages-in-chrome.ts";

const BLOCKS = 12;
const CHARACTERS = 400_000;
const QUOTA_BYTES = 2_000_000;
/** Chromium keeps a quota it has read for about half a minute. */
const QUOTA_PATIENCE_MS = 90_000;

const pages = pagesInChrome();

test("D15: when the quota is used up the run stops with STORE_QUOTA, what was stored stays readable, and it goes on once there is room", async () => {
  const page = await pages.open("hoarder");
  const control = await page.context().newCDPSession(page);
  // Only before the first write of an origin does it count at once.
  await control.send("Storage.overrideQuotaForOrigin", { origin: pages.origin, quotaSize: QUOTA_BYTES });
  expect(await page.evaluate(([blocks, characters]) => hoarder.start("full", { blocks, characters }), [BLOCKS, CHARACTERS] as const)).toBe(
    "STORE_QUOTA",
  );
  expect(await page.evaluate(() => hoarder.look())).toEqual({ status: "running", error: "STORE_QUOTA", active: false });
  const stored = await page.evaluate(() => hoarder.stored());
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThan(BLOCKS);
  expect(stored).toEqual(stored.map((_, i) => `b${i} ${CHARACTERS}`));
  expect(await page.evaluate(() => hoarder.resume())).toBe("STORE_QUOTA");
  expect(await page.evaluate(() => hoarder.stored())).toEqual(expect.arrayContaining([...stored]));

  await control.send("Storage.overrideQuotaForOrigin", { origin: pages.origin });
  await expect.poll(() => page.evaluate(() => hoarder.resume()), { timeout: QUOTA_PATIENCE_MS, interval: 2_000 }).toBe("success");
  expect(await page.evaluate(() => hoarder.stored())).toEqual(Array.from({ length: BLOCKS }, (_, i) => `b${i} ${CHARACTERS}`));
  const executions = await page.evaluate(() => hoarder.executions());
  // Written in the background: a block may have been done before its write was refused, but none that the store had.
  expect(stored.map((line) => executions[line.split(" ")[0]!])).toEqual(stored.map(() => 1));
  expect(await page.evaluate(() => hoarder.look())).toEqual({ status: "completed", error: undefined, active: false });
}, 180_000);

test.each(["b0", "b1", "b2"])("D16: a database deleted during block %s is reported, whether or not it was the last", async (block) => {
  // A name of its own for the same machine, so that no quota is in the way.
  const page = await pages.open("hoarder", { origin: pages.origin.replace("127.0.0.1", "localhost") });
  await page.evaluate((id) => hoarder.deleteDuring(id), block);
  const ending = await page.evaluate((name) => hoarder.start(name, { blocks: 3, characters: 10 }), `deleted-${block}`);
  expect(ending).toBe("STORE_RESET");
  expect(await page.evaluate(() => hoarder.look())).toMatchObject({ error: "STORE_RESET", active: false });
  await expect(page.evaluate(() => hoarder.stored())).rejects.toThrow("another one is in its place");
  await page.close();
});
