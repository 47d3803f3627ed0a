import { expect, test } from "vitest";
import { output, question, send, start, useBuiltDemo } from "./open-demo.ts";

const { demo, chrome, newPage } = useBuiltDemo();

test("once loaded, the page opens, reloads and takes a whole run through without its server", { timeout: 90_000 }, async () => {
  const { page, faults } = await newPage();
  await page.goto(demo().address);
  await page.getByText("works offline").waitFor();
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

test("a new version is told of, waits until it is wanted, and keeps what was typed", { timeout: 90_000 }, async () => {
  const { page, faults } = await newPage();
  await page.goto(demo().address);
  await page.getByText("works offline").waitFor();
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
  await expect.poll(() => chrome().context.serviceWorkers().length).toBe(1);
  expect(faults).toEqual([]);
});
