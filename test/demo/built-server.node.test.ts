import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { remoteExecutor } from "wavepoint/remote";
import { buildCommand, type BuiltCommand } from "../node/cli/built-command.ts";
import { freePort } from "../support/free-port.ts";
import { EXAMPLES, openTool, question, send, start, useBuiltDemo } from "./open-demo.ts";

const { demo, openPage } = useBuiltDemo();

const AXE = readFileSync(fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const PHONE = { width: 360, height: 740 };
/** What the page tells people to allow. */
const RIGHTS = ["read", "answer", "transfer", "load"].flatMap((right) => ["--allow", right]);

let wavepoint: BuiltCommand;
beforeAll(() => {
  wavepoint = buildCommand();
}, 120_000);
afterAll(() => wavepoint.remove());

/** Starts the server that the page tells people to start, without any workflow. Gives its address. */
async function startServer(): Promise<string> {
  const { origin } = new URL(demo().address);
  const server = wavepoint.start("serve", "--port", "0", "--ui", "--origin", origin, ...RIGHTS);
  onTestFinished(async () => {
    server.process.kill("SIGKILL");
    await server.ended;
  });
  return /Listening at (\S+)\n/.exec(await server.said("Dashboard at"))![1]!;
}

async function beginDinner(page: Page): Promise<string> {
  await page.locator(start("dinner-party")).click();
  await question(page, "How many people").getByRole("textbox").fill("4");
  await send(question(page, "How many people"));
  await question(page, "in the oven").waitFor();
  return new URL(page.url()).hash.split("/").at(-1)!;
}

async function askForServer(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Hand over to a server" }).click();
  const dialog = page.getByRole("dialog", { name: "Hand this run over to a server?" });
  await dialog.waitFor();
  return dialog;
}

/** The button that moved the run is gone. */
async function expectFocusOnPlace(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("away-title");
}

async function handOver(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "Hand it over" }).click();
}

/** What axe finds in the dialog. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          root: string,
          options: object,
        ): Promise<{ passes: readonly unknown[]; violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const found = await axe.run("dialog", { runOnly, resultTypes: ["violations"] });
    if (found.passes.length === 0) throw new Error("axe looked at nothing.");
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
  }, RULES);
}

test("a run goes to a server, is answered there, comes back and ends, and nothing is asked twice", { timeout: 120_000 }, async () => {
  const url = await startServer();
  const { page, faults } = await openPage();
  const id = await beginDinner(page);
  const dialog = await askForServer(page);
  await dialog.getByLabel("Address of the server").fill(`${url}/`);
  await handOver(dialog);
  await page.getByRole("heading", { name: `This run is at ${url}` }).waitFor();
  await question(page, "in the oven").waitFor();
  await expectFocusOnPlace(page);

  const remote = remoteExecutor(url);
  const there = await remote.open(id);
  const oven = there.getSnapshot().pauses.find(({ path }) => path.at(-1) === "main_course")!;
  await there.answer(oven.id, "Lemon chicken");
  await remote.close();
  // The page follows it there.
  await question(page, "dessert").waitFor();
  expect(await question(page, "in the oven").count()).toBe(0);

  // Another page, as it were: it knows where the run is, and calls the server only when it is asked to.
  // What the page had asked the server when it was left is cut off, and no fault of the next one.
  const address = page.url();
  await page.goto("about:blank");
  const before = faults.length;
  await page.goto(address);
  await page.getByRole("heading", { name: `This goes on elsewhere: ${url}.` }).waitFor();
  expect(await page.locator(".run-title .badge").textContent()).toContain("Handed over");
  expect(faults.slice(before)).toEqual([]);
  await page.getByRole("button", { name: "Answer it here" }).click();
  await question(page, "dessert").waitFor();
  await expectFocusOnPlace(page);

  await page.getByRole("button", { name: "Bring it back" }).click();
  await page.locator(".away").waitFor({ state: "detached" });
  await question(page, "dessert").getByRole("button", { name: "No", exact: true }).click();
  await page.locator("wavepoint-run", { hasText: "Lemon chicken for 4" }).waitFor();
  const panel = await openTool(page, "storage");
  const count = (type: string): Promise<number> => panel.locator(`.record[data-type=${type}]`).count();
  await expect.poll(() => count("transferred")).toBe(2);
  expect([await count("paused"), await count("answered")]).toEqual([3, 3]);
  // Nothing went to anyone but that server.
  expect(faults.filter((fault) => !fault.startsWith(`request: ${url}/`))).toEqual([]);
});

test("the page says what to do where a server is away, wants its token, or lacks the workflow", { timeout: 120_000 }, async () => {
  vi.stubEnv("WAVEPOINT_TOKEN", "long-and-random");
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = await startServer();
  const { page } = await openPage(EXAMPLES, PHONE);
  const id = await beginDinner(page);
  const dialog = await askForServer(page);
  const problem = dialog.getByRole("alert");
  const address = dialog.getByLabel("Address of the server");
  expect(await address.inputValue()).toBe("http://127.0.0.1:4100");

  await address.fill("https://example.com");
  await handOver(dialog);
  await problem.getByText("This page may call servers on this computer only.").waitFor();
  const away = `http://127.0.0.1:${await freePort()}`;
  await address.fill(away);
  await handOver(dialog);
  await problem.getByText(`No server answers this page at ${away}. Start one`).waitFor();
  expect(await dialog.locator("pre").innerText()).toBe(
    `npx wavepoint serve --ui --origin ${new URL(page.url()).origin} ${RIGHTS.join(" ")}`,
  );
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

  await address.fill(url);
  await dialog.getByLabel("Its token").fill("another");
  await handOver(dialog);
  await problem.getByText("The server refused: This server wants its token").waitFor();
  await dialog.getByLabel("Its token").fill("long-and-random");
  const accept = dialog.getByLabel("Let the server take the workflow from this page");
  await accept.uncheck();
  await handOver(dialog);
  await problem.getByText("The server has not loaded this workflow.").waitFor();
  await accept.check();
  await handOver(dialog);
  await page.getByRole("heading", { name: `This run is at ${url}` }).waitFor();
  // It has left this page before it arrives there.
  await dialog.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  // The token was kept nowhere.
  await page.reload();
  await page.getByRole("button", { name: "Bring it back" }).click();
  const back = page.getByRole("dialog", { name: "Bring this run back?" });
  await back.getByText("The server refused").waitFor();
  await back.getByLabel("Its token").fill("long-and-random");
  await back.getByRole("button", { name: "Bring it back" }).click();
  await question(page, "in the oven").waitFor();
  expect(await page.locator(".away").count()).toBe(0);
  expect(page.url()).toContain(id);
});
