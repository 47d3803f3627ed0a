import { expect, test } from "vitest";
import { EXAMPLES, output, question, send, start, useBuiltDemo } from "./open-demo.ts";

const { demo, newPage } = useBuiltDemo("npm start");
const isOfServer = (fault: string): boolean => fault.includes("ERR_CONNECTION_REFUSED");

test(
  "behind the server of npm start, once that is stopped, the page opens with its runs, and a workflow is begun and answered",
  {
    timeout: 90_000,
  },
  async () => {
    const { page, faults } = await newPage();
    await page.goto(demo().address);
    await page.getByText("works offline").waitFor();
    await page.locator(start("coffee-subscription")).click();
    await question(page, "How do you make coffee").waitFor();
    await demo().stop();
    await page.goto(demo().address + EXAMPLES);
    await page.reload();
    await page.locator("[data-run]", { hasText: "Coffee subscription" }).waitFor({ state: "attached" });
    await page.locator(start("coffee-subscription")).click();
    await question(page, "How do you make coffee").getByLabel("Nothing yet").check();
    await send(question(page, "How do you make coffee"));
    await question(page, "hand dripper").getByRole("button", { name: "Yes" }).click();
    await question(page, "How many cups").locator("input").fill("2");
    await send(question(page, "How many cups"));
    await question(page, "Shall we send").getByRole("button", { name: "Yes" }).click();
    await output(page, "Box").waitFor();
    expect(await page.locator("[data-run]").count()).toBe(2);
    expect(faults.filter((fault) => !isOfServer(fault))).toEqual([]);
    await demo().start();
  },
);
