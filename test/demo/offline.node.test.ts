import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { sharedChrome } from "../support/shared-chrome.ts";
import { EXAMPLES, output, question, send, start, useBuiltDemo } from "./open-demo.ts";

const { demo, context, newPage } = useBuiltDemo();

test("once loaded, the page opens, reloads and takes a whole run through without its server", { timeout: 90_000 }, async () => {
  const { page, faults } = await newPage();
  await page.goto(demo().address);
  await page.getByText("works offline").waitFor();
  await page.goto(demo().address + EXAMPLES);
  await demo().stop();
  await page.reload();
  await page.locator(start("coffee-subscription")).click();
  await question(page, "How do you make coffee").getByLabel("Nothing yet").check();
  await send(question(page, "How do you make coffee"));
  await question(page, "hand dripper").waitFor();
  await page.reload();
  await question(page, "hand dripper").getByRole("button", { name: "Yes" }).click();
  await question(page, "How many cups").locator("input").fill("2");
  await send(question(page, "How many cups"));
  await question(page, "Shall we send").getByRole("button", { name: "Yes" }).click();
  await output(page, "Box").waitFor();
  await page.goto(`${demo().address}#/workflow/sea-forecast`);
  await page.locator(".graph svg").waitFor();
  expect(faults.filter((fault) => !fault.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
  await demo().start();
});

test("a new version is announced, waits until it is wanted, and keeps what was typed", { timeout: 90_000 }, async () => {
  const { page, faults } = await newPage();
  await page.goto(demo().address);
  await page.getByText("works offline").waitFor();
  await page.goto(demo().address + EXAMPLES);
  await page.locator(start("workshop-seat")).click();
  await question(page, "boat-building").getByLabel("Your name").fill("Ada");
  demo().publishAnother();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const load = page.locator("[data-load-version]");
  await load.waitFor();
  expect(await question(page, "boat-building").getByLabel("Your name").inputValue()).toBe("Ada");
  await load.click();
  await load.waitFor({ state: "detached" });
  await question(page, "boat-building").waitFor();
  await expect.poll(() => question(page, "boat-building").getByLabel("Your name").inputValue()).toBe("Ada");
  await expect.poll(() => context().serviceWorkers().length).toBe(1);
  expect(faults).toEqual([]);
});

const MISSING = /connect to the network, then load the page again/i;
const SCRIPTS = /\/assets\/[^/]*\.js$/;

/** Opens the page in a browser that keeps nothing of it, from a server that does not give some of its scripts. */
async function openWithout(isLost: (script: string) => boolean): Promise<Page> {
  // A worker that the page registers would give it every script, as soon as it has them.
  const keepsNothing = await (await sharedChrome()).newContext({ serviceWorkers: "block" });
  onTestFinished(() => keepsNothing.close());
  const page = await keepsNothing.newPage();
  await page.route(SCRIPTS, (route) => (isLost(new URL(route.request().url()).pathname) ? route.abort() : route.continue()));
  await page.goto(demo().address);
  return page;
}

test("a page whose script is missing does not wait without end: it says what to do", { timeout: 60_000 }, async () => {
  const page = await openWithout(() => true);
  expect(await page.getByText(MISSING).isVisible()).toBe(false);
  await page.getByText(MISSING).waitFor();
});

test("a page of which a later part is missing says what to do", { timeout: 60_000 }, async () => {
  const html = await (await fetch(demo().address)).text();
  const first = [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]*\.js)"/g)].map(([, path]) => path!);
  expect(first).not.toEqual([]);
  const page = await openWithout((script) => !first.some((path) => script.endsWith(path)) && !script.includes("worker"));
  await page.getByRole("alert").getByText(MISSING).waitFor();
});
