import { expect, test } from "vitest";
import { pagesInChrome } from "../support/pages-in-chrome.ts";

const pages = pagesInChrome();

test("two tabs share a draft; it survives kill -9 of the browser, and ends with the answer in both", async () => {
  const first = await pages.open("field");
  await first.evaluate(() => field.type("A"));
  await first.evaluate(() => field.type("Ad"));
  const second = await pages.open("field");
  expect(await second.evaluate(() => field.shown())).toEqual(["Ad"]);
  await second.evaluate(() => field.type("Ada"));
  expect(await first.evaluate(() => field.look())).toEqual(["Ada"]);
  await pages.kill();

  const [third, fourth] = [await pages.open("field"), await pages.open("field")];
  expect(await third.evaluate(() => field.shown())).toEqual(["Ada"]);
  expect(await third.evaluate(() => field.send(""))).toBe("failure");
  expect(await fourth.evaluate(() => field.look())).toEqual(["Ada"]);
  expect(await fourth.evaluate(() => field.kept())).toEqual(['"Ada"']);
  expect(await third.evaluate(() => field.send("Ada"))).toBe("success");
  expect(await fourth.evaluate(() => field.look())).toEqual([]);
  expect(await fourth.evaluate(() => field.type("late").catch((error: { code: string }) => error.code))).toBe("PAUSE_ALREADY_ANSWERED");
  expect(await fourth.evaluate(() => field.kept())).toEqual([]);
});
