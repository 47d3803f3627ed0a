import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tabTo } from "./built-demo.ts";
import { begin, focused, output, question, send, start, useBuiltDemo } from "./open-demo.ts";

const { demo, context, openPage } = useBuiltDemo();

test("what the page waits for is small", async () => {
  const html = await (await fetch(demo().address)).text();
  // Scripts, what they import, and styles: all that the page itself names. The engine, the elements and the rest come behind it.
  const named = [...html.matchAll(/(?:<script [^>]*src|<link rel="(?:modulepreload|stylesheet)" crossorigin href)="([^"]+)"/g)];
  const first = ["", ...named.map(([, path]) => path!)].map((path) => new URL(path, demo().address));
  expect(first.length).toBeGreaterThan(4);
  const sizes = await Promise.all(first.map(async (address) => gzipSync(await (await fetch(address)).text()).length));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(90_000);
  // The headline is read before any of it is there.
  expect(html).toContain("Forms and workflows that survive a crash.");
});

test("a workflow with inputs is given them in a form, which says what is wrong with each", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("parallel-survey")).waitFor();
  await tabTo(page, start("parallel-survey"));
  await page.keyboard.press("Enter");
  const harbours = page.getByLabel("Harbours");
  await expect.poll(() => focused(page)).toBe("heading");
  await harbours.fill('"Esbjerg"');
  await page.getByRole("button", { name: "Start Parallel survey" }).click();
  const summary = page.locator("[part=summary]");
  await expect.poll(() => focused(page)).toBe("summary");
  expect(await summary.textContent()).toContain("Harbours: must be an array");
  expect(await harbours.getAttribute("aria-invalid")).toBe("true");

  await page.reload();
  await expect.poll(() => harbours.inputValue()).toContain("Esbjerg");
  await harbours.fill('[{ "name": "Hook", "depth": 17, "takes_ms": 10 }, { "name": "Ijmuiden", "depth": 14, "takes_ms": 30 }]');
  await page.getByRole("button", { name: "Start Parallel survey" }).click();
  await expect.poll(() => output(page, "Report").textContent()).toContain("2. Ijmuiden: 14 m");
  await page.locator("[data-tab=timeline]").click();
  await expect.poll(() => page.locator("[part~=timeline-item][data-status=completed]").count()).toBe(2);
  expect(faults).toEqual([]);
});

test("what is due while the page is closed goes on when it is opened", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/workflow/reminder");
  // Long enough to look at it before it is due, on a busy machine too.
  await page.getByLabel("Wait (ms)").fill("6000");
  await page.getByRole("button", { name: "Start Reminder" }).click();
  await page.getByRole("heading", { name: /^This continues on/ }).waitFor();
  await page.locator("[data-tab=timeline]").click();
  expect(await page.locator("[part~=timeline-row][data-block=later] [part~=timeline-tried]").textContent()).toMatch(
    /^Continues at \d\d:\d\d:\d\d$/,
  );
  const due = Date.now() + 6000;
  const address = page.url();
  await page.goto("about:blank");
  await expect.poll(() => Date.now()).toBeGreaterThan(due);
  await page.goto(address);
  await question(page, "Turn the bread. Done?").getByRole("button", { name: "Yes" }).click();
  await page.getByRole("heading", { name: "Done" }).waitFor();
  await page.locator("[data-tab=timeline]").click();
  expect(await page.locator("[part~=timeline-row][data-block=once_more]").getAttribute("data-status")).toBe("skipped");
  expect(faults).toEqual([]);
});

test("a call is tried again until the network is back, and asks for its secret again after a reload", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage("#/workflow/http-retry");
  const token = page.getByLabel("Token");
  expect(await token.getAttribute("type")).toBe("password");
  await token.fill("low-tide");
  await page.getByText("works offline").waitFor();
  await context().setOffline(true);
  await page.getByRole("button", { name: "Start HTTP retry" }).click();
  await page.locator("[data-tab=timeline]").click();
  const tried = page.locator("[part~=timeline-row][data-block=ask] [part~=timeline-tried]");
  await tried.filter({ hasText: /^Attempt 2 of 4 failed, next at \d\d:\d\d:\d\d$/ }).waitFor();
  await context().setOffline(false);
  await page.reload();
  const dialog = page.locator("dialog");
  await expect.poll(() => dialog.getByLabel("token").evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type("low-tide");
  await page.keyboard.press("Enter");
  await expect.poll(() => output(page, "Tides").textContent()).toContain("Cuxhaven\n04:12  3.4 m");
  expect(await page.content()).not.toContain("low-tide");
  expect(faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("files of a workflow stay in this browser", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await begin(page, "letter-files");
  await output(page, "Letter").waitFor();
  expect(await output(page, "Letter").textContent()).toContain("Dear Ada,\nwe meet at the boat house.");
  const kept = await page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const name of ["wavepoint-demo", "letters"]) folder = await folder.getDirectoryHandle(name);
    return (await (await folder.getFileHandle("to-Ada.txt")).getFile()).text();
  });
  expect(kept).toContain("Ada, bring oars!");
  expect(faults).toEqual([]);
});

test("a report is written without a network, with a photo as phones take them", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  await page.locator(start("storm-report")).click();
  const place = question(page, "Where are you?");
  await place.getByLabel("North").waitFor();
  await context().setOffline(true);
  await place.getByLabel("North").check();
  await place.getByLabel("Day").fill("2026-11-20");
  await place.getByLabel("What do you see?").fill("Waves over the rail");
  await send(place);
  const damage = question(page, "What is broken?");
  await damage.getByLabel("What", { exact: true }).fill("Rail");
  await damage.getByLabel("Metres from the land").fill("20");
  await send(damage);
  const photos = question(page, "Up to five.");
  await photos.locator("input[type=file]").setInputFiles({ name: "pier.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(3_000_000, 7) });
  await photos.getByText("3 MB").waitFor();
  await send(photos);
  await question(page, "Send it to the harbour master?").getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => output(page, "Report").textContent()).toBe("North pier, 2026-11-20: Waves over the rail\n- Rail, 20 m\n1 photo");
  expect(faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("tags narrow the gallery, by keyboard, and a reload keeps them", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  const cards = page.locator("[data-example]");
  await cards.first().waitFor();
  await tabTo(page, '[data-tag="files"]');
  await page.keyboard.press("Enter");
  await expect.poll(() => cards.count()).toBe(5);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-tag"))).toBe("files");
  await page.reload();
  await expect.poll(() => cards.count()).toBe(5);
  expect(await page.locator('[data-tag="files"]').getAttribute("aria-pressed")).toBe("true");
  expect(faults).toEqual([]);
});

test("a workflow that needs a shell says how to run it, and why not here", { timeout: 60_000 }, async () => {
  const { page, faults } = await openPage();
  for (const workflow of ["ci-pipeline", "project-check"]) {
    await page.goto(`${demo().address}#/workflow/${workflow}`);
    await page.getByText(`npx wavepoint run ${workflow}.yaml --allow-shell .`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Try to load it here" }).click();
    await expect.poll(() => page.locator(".elsewhere [role=status]").textContent()).toMatch(/Shell/);
  }
  await page.goto(`${demo().address}#/workflow/nothing`);
  await page.getByRole("heading", { name: "This workflow is not here" }).waitFor();
  expect(faults).toEqual([]);
});
