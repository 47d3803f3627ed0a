import type { Page } from "playwright";
import { expect, test } from "vitest";
import { watchForFaults } from "../demo/built-demo.ts";
import { useBuiltApps } from "./use-built-apps.ts";

const { apps, newContext } = useBuiltApps(["examples/react/hello", "examples/vue/hello", "examples/svelte/hello"]);

/** Opens the page of a framework in a new browser, and gives what it complains of. */
async function open(name: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const context = await newContext();
  context.setDefaultTimeout(40_000);
  const page = await context.newPage();
  const faults = await watchForFaults(page, apps().origin);
  await page.goto(`${apps().origin}/examples/${name}/hello/`);
  return { page, faults };
}

/** How many drafts the store of the page holds: a second tab finds only what is stored. */
function countDrafts(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("hello");
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const count = opening.result.transaction("notes").objectStore("notes").count();
          count.addEventListener("success", () => resolve(count.result));
          opening.result.close();
        });
      }),
  );
}

test.each(["react", "vue", "svelte"])(
  "the page in one file for %s asks, keeps what is typed, and greets, in a second tab too",
  { timeout: 120_000 },
  async (name) => {
    const { page, faults } = await open(name);
    await page.getByLabel("Who are you?").fill("Ada");
    await expect.poll(() => countDrafts(page), { timeout: 40_000 }).toBe(1);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await page.reload();
    for (const tab of [page, second]) {
      await expect.poll(() => tab.getByLabel("Who are you?").inputValue(), { timeout: 40_000 }).toBe("Ada");
    }
    await second.getByRole("button", { name: "Continue" }).click();
    await Promise.all([page, second].map((tab) => tab.getByText("Hello, Ada!").waitFor()));
    expect(faults).toEqual([]);
  },
);
