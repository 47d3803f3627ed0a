import type { Page } from "playwright";
import { expect, test } from "vitest";
import { begin, output, question, send, useBuiltDemo } from "./open-demo.ts";

const { context, openPage } = useBuiltDemo();

/** What the agent asks before it books. */
const leave = (page: Page) => question(page, "May the agent call book_berth?");

const said = (page: Page) => page.locator(".talk-agent .talk-text");

/** Whether the page showed something the agent said in parts, as it came: noted with each change, since a busy machine may look late. */
async function hearInParts(page: Page): Promise<() => boolean> {
  const announced = new Set<string>();
  await page.exposeFunction("noteSaid", (text: string) => void announced.add(text.trim()));
  await page.evaluate(() => {
    const { noteSaid } = globalThis as unknown as { noteSaid(text: string): void };
    const note = () => document.querySelectorAll(".talk-agent .talk-text").forEach(({ textContent }) => noteSaid(textContent));
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => [...announced].some((part) => part !== "" && [...announced].some((whole) => whole !== part && whole.startsWith(part)));
}

/** How often something was booked in the world outside, of which the engine knows nothing. */
function bookings(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("wavepoint-demo-outside");
        // It is made by the first booking, and not by who counts them.
        opening.addEventListener("upgradeneeded", () => opening.transaction!.abort());
        opening.addEventListener("error", () => (opening.error!.name === "AbortError" ? resolve(0) : reject(opening.error!)));
        opening.addEventListener("success", () => {
          const counting = opening.result.transaction("stamped").objectStore("stamped").count();
          counting.addEventListener("success", () => {
            opening.result.close();
            resolve(counting.result);
          });
        });
      }),
  );
}

test("an agent speaks, asks, is killed in the middle of its work and goes on, without a network", { timeout: 90_000 }, async () => {
  const { page, faults } = await openPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByText("works offline").waitFor();
  expect(asked.filter((url) => url.includes("equipment") || url.includes("talk"))).toEqual([]);
  await context().setOffline(true);
  const cameInParts = await hearInParts(page);
  await begin(page, "harbour-desk");

  await said(page).first().waitFor();
  await page.getByRole("button", { name: "Kill the worker" }).click();

  await leave(page).getByLabel("Allow with other arguments").check();
  expect(await leave(page).getByLabel("Berth", { exact: true }).inputValue()).toBe("14");
  await leave(page).getByLabel("Berth", { exact: true }).fill("21");
  await send(leave(page));
  await expect.poll(() => bookings(page)).toBe(1);
  expect(cameInParts()).toBe(true);
  await page.reload();

  await expect
    .poll(() => output(page, "Answer").textContent(), { timeout: 30_000 })
    .toContain("Petrel has berth 21 for 2 nights from Friday.");
  expect(await bookings(page)).toBe(1);
  await expect.poll(() => page.locator(".talk-calls code").allTextContents()).toEqual(["tide_table", "free_berths", "book_berth", "clerk"]);
  await expect.poll(() => page.locator(".talk-inner .talk-text").textContent()).toContain("Petrel has berth 21");
  expect(faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});
