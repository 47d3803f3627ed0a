import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveBuiltPages, type BuiltPages } from "../support/built-pages.ts";
import { sharedChrome } from "../support/shared-chrome.ts";

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

const WIZARD = `
name: letter
blocks:
  - id: go
    type: ConfirmOperation
    inputs: { message: Write a letter? }
  - id: tone
    type: AskChoice
    inputs: { question: Which tone?, choices: [warm, cold] }
    depends_on: [go]
    condition: \${blocks.go.outputs.confirmed} == true
  - id: name
    type: GetInput
    inputs: { prompt: To whom?, validation_pattern: "^[A-Z][a-z]+$" }
    depends_on: [tone]
  - id: place
    type: ExecuteWorkflow
    inputs: { workflow: where }
    depends_on: [name]
  - id: text
    type: PopulateTemplate
    inputs:
      template: "{% if tone == 'warm' %}Dear{% else %}To{% endif %} {{ name | upper }} in {{ place }}"
      variables:
        tone: \${blocks.tone.outputs.choice}
        name: \${blocks.name.outputs.input_value}
        place: \${blocks.place.outputs.place}
    depends_on: [place]
outputs:
  text: \${blocks.text.rendered}
`;
const WHERE = `
name: where
blocks:
  - id: ask
    type: GetInput
    inputs: { prompt: Where? }
outputs:
  place: \${blocks.ask.outputs.input_value}
`;
const ANSWERS = { go: "yes", tone: "1", name: "Ada", ask: "London" };

let pages: BuiltPages;
let browser: Browser;

beforeAll(async () => {
  pages = await serveBuiltPages({
    entries: { csp: new URL("pages/csp.ts", import.meta.url) },
    headers: { "content-security-policy": POLICY },
  });
  browser = await sharedChrome();
}, 90_000);
afterAll(async () => {
  await pages.close();
});

/** A page that notes what the policy refuses, from before its first script on, and every error. */
async function openPage(): Promise<{ readonly page: Page; readonly refused: readonly string[] }> {
  const page = await browser.newPage();
  const refused: string[] = [];
  page.on("pageerror", (error) => refused.push(error.message));
  await page.exposeFunction("noteRefused", (what: string) => void refused.push(what));
  await page.addInitScript(() => {
    const { noteRefused } = globalThis as unknown as { noteRefused(what: string): void };
    addEventListener("securitypolicyviolation", (event) => noteRefused(event.effectiveDirective));
  });
  await page.goto(`${pages.origin}/csp`);
  await expect.poll(() => page.title()).toBe("ready");
  return { page, refused };
}

describe(`under ${POLICY}`, () => {
  test("S1: a wizard in YAML runs to its end, with patterns, templates, called workflows and IndexedDB, and nothing is refused", async () => {
    const { page, refused } = await openPage();
    const before = pages.scripts.length;
    const { steps, result } = await page.evaluate(([yaml, answers]) => strict.play(yaml, answers), [[WIZARD, WHERE], ANSWERS] as const);
    expect(steps).toEqual(["go completed", "tone completed", "name completed", "place completed", "text completed"]);
    expect(result).toMatchObject({ status: "success", outputs: { text: "Dear ADA in London" } });
    expect(pages.scripts.length, "parts that are loaded when they are used").toBeGreaterThan(before + 3);
    expect(refused).toEqual([]);
    await page.close();
  });

  test.each([
    [
      "a pattern that is none",
      "name: w\nblocks: [{ id: a, type: GetInput, inputs: { prompt: p, validation_pattern: '(' } }]",
      "PATTERN_INVALID",
    ],
    [
      "an expression that is none",
      "name: w\nblocks: [{ id: a, type: EchoBlock, inputs: { message: m }, condition: 'alert(1)' }]",
      "EXPRESSION_SYNTAX",
    ],
    ["an unknown key", "name: w\nblocks: [{ id: a, type: EchoBlock, color: red }]", "KEY_UNKNOWN"],
  ])("%s is refused by the package, not by the policy", async (_, yaml, code) => {
    const { page, refused } = await openPage();
    expect(await page.evaluate((text) => strict.refuse(text), yaml)).toBe(code);
    expect(refused).toEqual([]);
    await page.close();
  });

  test("what the policy does refuse is noted", async () => {
    const { page, refused } = await openPage();
    expect(await page.evaluate(() => strict.evaluate())).toBe(false);
    await expect.poll(() => refused).toEqual(["script-src"]);
    await page.close();
  });
});
