import type { Page } from "playwright";
import { describe, expect, test, vi } from "vitest";
import { watchForFaults } from "../demo/built-demo.ts";
import { useBuiltApps } from "./use-built-apps.ts";

const MEMBER = {
  name: "Ada",
  age: 30,
  since: "2020-02-03",
  boat: 2,
  days: ["sun"],
  letter: false,
  about: "Likes fog",
  address: { town: "Turku" },
};

const { apps, newContext } = useBuiltApps(["test/examples/recipes-page"]);

/** Waits for what follows: a page may be slow where much else is at work. */
async function until<T>(read: () => Promise<T>, check: (found: T) => void): Promise<void> {
  await vi.waitFor(async () => check(await read()), { timeout: 40_000 });
}
const keptDraft = async (page: Page): Promise<unknown> =>
  JSON.parse(await page.evaluate(() => (globalThis as unknown as { keptDraft(): string }).keptDraft()));
const send = (page: Page): Promise<void> => page.getByRole("button", { name: "Send answer" }).click();

describe.each(["rjsf", "json-forms", "survey-js"])("a question drawn by %s", (recipe) => {
  test("is answered, refused with messages in place, and keeps its draft over a reload", { timeout: 180_000 }, async () => {
    const context = await newContext();
    // As on a slow device: a library may draw its messages after the next frame.
    await context.addInitScript(() => {
      globalThis.requestAnimationFrame = (draw) => {
        queueMicrotask(() => draw(performance.now()));
        return 0;
      };
    });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    const faults = await watchForFaults(page, apps().origin);
    await page.goto(`${apps().origin}/test/examples/recipes-page/#${recipe}`);

    await page.getByText("Which sport?").first().waitFor();
    await page.getByText("Rowing").click();
    await send(page);

    await page.getByText("Membership").first().waitFor();
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Age").fill("9");
    await page.getByText("Skiff").click();
    await page.getByText("Sunday").click();
    await page.getByLabel("About you").fill("Likes fog");
    await page.getByLabel("Town").fill("Turku");
    await page.getByLabel("Town").blur();
    await until(
      () => keptDraft(page),
      (found) => expect(found).toMatchObject({ name: "Ada", age: 9, boat: 2, days: ["sun"], address: { town: "Turku" } }),
    );
    await page.reload();
    await page.getByText("Membership").first().waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Ada");
    expect(await page.getByLabel("Skiff").isChecked()).toBe(true);

    await send(page);
    await page.getByText("must be 12 or more").waitFor();
    expect(await page.getByText("must be 12 or more").count()).toBe(1);
    await until(
      () => page.evaluate(() => document.activeElement?.matches("input:not([type=button])")),
      (found) => expect(found).toBe(true),
    );
    await page.getByLabel("Age").fill("30");
    await page.getByLabel("Since").fill("2020-02-03");
    await page.getByLabel("Since").blur();
    await send(page);
    await until(
      () => page.locator("output").textContent(),
      (found) => expect(found).not.toBe(""),
    );
    expect(JSON.parse((await page.locator("output").textContent())!)).toEqual({ choice: "Rowing", member: MEMBER });
    expect(faults).toEqual([]);
  });
});
