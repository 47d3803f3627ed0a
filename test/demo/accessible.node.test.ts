import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { chooseMore, EXAMPLES, begin, output, question, send, start, useBuiltDemo } from "./open-demo.ts";

const { demo, openPage } = useBuiltDemo();

const AXE = readFileSync(fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Found {
  readonly passes: readonly unknown[];
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** What axe finds on the page as it stands; that it looked at something is seen too. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate((runOnly) => {
    const { axe } = globalThis as unknown as { axe: { run(root: Document, options: object): Promise<Found> } };
    return axe.run(document, { runOnly, resultTypes: ["violations"] });
  }, RULES);
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

const LOOKS = [
  { colorScheme: "light", size: { width: 1440, height: 900 } },
  { colorScheme: "dark", size: { width: 360, height: 740 } },
] as const;
/** Each state is seen in one of the looks, in turns; in the long tier in both. */
const PASSES = process.env.WAVEPOINT_LONG === undefined ? [0] : [0, 1];

test.each(PASSES)(
  "axe finds nothing on any state of the page, at a desk in light colours or on a phone in dark ones, beginning with %i",
  { timeout: 120_000 },
  async (pass) => {
    const { page, faults } = await openPage();
    const found: string[] = [];
    let states = pass;
    const look = async (state: string): Promise<void> => {
      const { colorScheme, size } = LOOKS[(states += 1) % LOOKS.length]!;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      for (const violation of await violations(page)) found.push(`${state}, ${colorScheme}: ${violation}`);
    };

    await page.locator(start("coffee-subscription")).waitFor();
    await look("gallery");
    await page.goto(`${demo().address}#/`);
    await page.locator(".live wavepoint-prompt form").waitFor();
    await look("first page");
    await page.goto(`${demo().address}#/workflow/http-retry`);
    await page.locator(".graph svg").waitFor();
    await page.getByRole("button", { name: "Start HTTP retry" }).click();
    await page.locator("[part=summary]").waitFor();
    await look("start form with errors");
    await page.goto(`${demo().address}#/workflow/ci-pipeline`);
    await page.getByRole("button", { name: "Try to load it here" }).click();
    await look("workflow for Node");
    await page.goto(`${demo().address}#/run/nothing`);
    await page.getByRole("heading", { name: "This run is not here" }).waitFor();
    await look("missing run");

    await page.goto(demo().address + EXAMPLES);
    await page.locator(start("workshop-seat")).click();
    await question(page, "boat-building").getByLabel("Your name").fill("Ada");
    await look("question");
    await send(question(page, "boat-building"));
    await page.locator("[part=summary]").waitFor();
    await look("question with errors");

    await page.goto(demo().address + EXAMPLES);
    await begin(page, "expense-approval");
    await question(page, "Approve").waitFor();
    for (const tab of ["timeline", "data", "journal", "yaml", "history"]) {
      await page.locator(`[data-tab=${tab}]`).click();
      await page
        .locator(".tab-panel :is([part~=timeline-row], [part=values] dt, [part~=journal-row], .yaml span, [part=checkpoint])")
        .first()
        .waitFor();
      await look(tab);
    }
    await question(page, "Approve").getByRole("button", { name: "Yes" }).click();
    await output(page, "Payment").waitFor();
    await look("outcome");
    await page.getByRole("button", { name: "Your answers" }).click();
    await page.locator("[part=review]").waitFor();
    await look("review");
    await chooseMore(page, "Delete run");
    await page.locator("dialog").waitFor();
    await look("dialog");
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  },
);
