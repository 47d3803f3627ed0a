import type { Page } from "playwright";
import { describe, expect, test, vi } from "vitest";
import { tabTo, watchForFaults } from "../demo/built-demo.ts";
import { useBuiltApps } from "./use-built-apps.ts";

const FRAMEWORKS = ["react", "vue", "svelte"] as const;
const { apps, newContext } = useBuiltApps(FRAMEWORKS.map((name) => `examples/${name}`));

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? "");
/** Waits for what follows: a page may be slow where much else is at work. */
async function until<T>(read: () => Promise<T>, check: (found: T) => void): Promise<void> {
  await vi.waitFor(async () => check(await read()), { timeout: 40_000 });
}
const asks = (page: Page, text: string): Promise<void> => page.getByRole("heading", { name: text }).waitFor();
const messages = (page: Page): Promise<string[]> => page.locator(".error").allTextContents();

/** Chooses with the keyboard in the list that has the focus next. */
async function choose(page: Page, letters: string): Promise<void> {
  await tabTo(page, "select");
  await page.keyboard.type(letters);
}

describe.each(FRAMEWORKS)("the example app in %s", (framework) => {
  test(
    "is answered with the keyboard alone, says what is wrong, and keeps draft and place over a reload",
    { timeout: 180_000 },
    async () => {
      const context = await newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(40_000);
      const faults = await watchForFaults(page, apps().origin);
      await page.goto(`${apps().origin}/examples/${framework}/`);
      await asks(page, "Where shall it go?");
      await until(
        () => focused(page),
        (found) => expect(found).toBe("H1"),
      );
      await choose(page, "To the sea");
      await tabTo(page, "button");
      await page.keyboard.press("Enter");

      await asks(page, "Your stay");
      await tabTo(page, "input");
      await page.keyboard.type("Ada");
      await tabTo(page, "input[inputmode=numeric]");
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type("9");
      await page.keyboard.press("Enter");
      await until(
        () => messages(page),
        (found) => expect(found).toContain("Nights must be 7 or less"),
      );
      expect(await messages(page)).toHaveLength(3);
      await until(
        () => focused(page),
        (found) => expect(found).toBe("INPUT"),
      );
      const nights = page.getByLabel("Nights");
      expect(await nights.getAttribute("aria-invalid")).toBe("true");
      expect(await nights.getAttribute("aria-describedby")).toBe(await page.locator(".error").first().getAttribute("id"));

      await nights.fill("3");
      await page.getByLabel("Arrival").fill("2027-03-05");
      await page.getByLabel("Room").selectOption("Double");
      await page.getByText("Kept on this device").waitFor();
      await page.reload();
      await asks(page, "Your stay");
      expect(await page.getByLabel("Your name").inputValue()).toBe("Ada");
      expect(await nights.inputValue()).toBe("3");
      expect(await page.getByLabel("Room").inputValue()).toBe("Double");

      await page.getByRole("button", { name: "Continue" }).click();
      await asks(page, "Shall we wake you for the sunrise swim?");
      await page.getByRole("button", { name: "Back" }).click();
      await asks(page, "Your stay");
      expect(await nights.inputValue()).toBe("3");
      await page.getByLabel("A dog comes along").check();
      await page.getByRole("button", { name: "Continue" }).click();
      await asks(page, "Shall we wake you for the sunrise swim?");
      await page.locator("select").selectOption("yes");
      await page.getByRole("button", { name: "Continue" }).click();
      await asks(page, "What would make it perfect?");
      await page.getByRole("button", { name: "Continue" }).click();
      await until(
        () => messages(page),
        (found) => expect(found).toHaveLength(1),
      );
      await page.getByRole("textbox").fill("fog");
      await page.keyboard.press("Enter");

      await asks(page, "It is booked.");
      const letter = "Ada, to the sea for 3 nights, a double room and a dog, up at sunrise. And: fog.";
      expect(await page.getByRole("status").textContent()).toBe(letter);
      await page.getByRole("button", { name: "Once more" }).click();
      await asks(page, "Where shall it go?");
      expect(faults).toEqual([]);
    },
  );
});
