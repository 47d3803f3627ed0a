import type { Page } from "playwright";
import { expect, test } from "vitest";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import type { Testimony } from "../support/witness.ts";

const pages = pagesInChrome();

type Began = Extract<Testimony, { readonly type: "began" }>;

async function openTab(name: string): Promise<Page> {
  const page = await pages.open("payment");
  await page.evaluate((name) => payment.open(name), name);
  return page;
}

/** What was paid of a run: the service has a line for each payment that began. */
const paid = (name: string): readonly string[] =>
  pages.lines.filter((line): line is Began => line.type === "began" && line.run === `run_${name}`).map(({ proof }) => proof);

/** Two tabs on one run; the first one is in the middle of the payment. */
async function payInFirstTab(name: string): Promise<readonly [Page, Page]> {
  const first = await openTab(name);
  await first.evaluate(() => payment.answer("note", "hello"));
  void first.evaluate(() => payment.answer("amount", "5")).catch(() => undefined);
  await expect.poll(() => paid(name)).toEqual(["5"]);
  return [first, await openTab(name)];
}

const open = async (page: Page): Promise<readonly string[]> => (await page.evaluate(() => payment.look())).open;

test("D21: an answer on which the payment does not depend is changed in another tab: the payment is kept, and made once", async () => {
  const [first, second] = await payInFirstTab("kept");
  const revising = second.evaluate(() => payment.revise("note", "other words"));
  await first.evaluate(() => payment.pay());
  expect(await revising).toMatchObject({ status: "paused" });
  await expect.poll(() => open(first)).toEqual(["sure"]);
  expect(await open(second)).toEqual(["sure"]);
  const result = await second.evaluate(() => payment.answer("sure", "yes"));
  expect(result).toMatchObject({ status: "success", outputs: { paid: "5", note: "other words" } });
  expect(paid("kept")).toEqual(["5"]);
});

test("D21: an answer on which it does depend is changed in another tab: a person is asked, and nothing is paid twice", async () => {
  const [first, second] = await payInFirstTab("asked");
  const revising = second.evaluate(() => payment.revise("amount", "6"));
  await first.evaluate(() => payment.pay());
  expect(await revising).toMatchObject({ status: "paused" });
  await expect.poll(() => open(first)).toEqual(["pay"]);
  expect(await second.evaluate(() => payment.look())).toEqual({ open: ["pay"], outcomes: ["again", "keep"] });
  expect(paid("asked")).toEqual(["5"]);
  expect(await second.evaluate(() => payment.answer("pay", { outcome: "keep" }))).toMatchObject({ status: "paused" });
  expect(await second.evaluate(() => payment.answer("sure", "yes"))).toMatchObject({ status: "success", outputs: { paid: "5" } });
  expect(paid("asked")).toEqual(["5"]);
});

test("D21: the tab that pays is killed after another one changed the answer: whether it paid is not known, and a person is asked", async () => {
  const [first, second] = await payInFirstTab("killed");
  const revising = second.evaluate(() => payment.revise("amount", "6")).catch(() => undefined);
  await second.evaluate(() => payment.look());
  await first.close();
  expect(await revising).toMatchObject({ status: "paused" });
  expect(await second.evaluate(() => payment.look())).toEqual({ open: ["pay"], outcomes: ["done", "failed", "again"] });
  expect(paid("killed")).toEqual(["5"]);
  const failed = await second.evaluate(() => payment.answer("pay", { outcome: "failed" }));
  expect(failed).toMatchObject({ status: "failure", error: { code: "OUTCOME_UNKNOWN" } });
  expect(paid("killed")).toEqual(["5"]);
});
