import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Executor } from "wavepoint";
import { remoteExecutor } from "wavepoint/remote";
import { sharedChrome } from "../../support/shared-chrome.ts";
import { buildCommand, type BuiltCommand, type Started } from "./built-command.ts";

const ORDER = `name: order
label: "Order of \${inputs.customer}"
search: { customer: "\${inputs.customer}" }
inputs:
  customer: { type: str }
blocks:
  - id: dish
    type: AskChoice
    inputs: { question: "What shall we cook for \${inputs.customer}?", choices: [Soup, Fish] }
  - { id: cook, type: EchoBlock, depends_on: [dish], inputs: { message: "One \${blocks.dish.choice}" } }
outputs: { served: "\${blocks.cook.echoed}" }
`;

const PAYMENT = `name: payment
blocks:
  - { id: prepare, type: EchoBlock, inputs: { message: prepared } }
  - { id: account, type: ReadFile, depends_on: [prepare], inputs: { path: account.txt } }
outputs: { account: "\${blocks.account.content}" }
`;

const AXE = readFileSync(fileURLToPath(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const TOKEN = "long-and-random";
const ALL = ["read", "start", "answer", "manage", "transfer"].flatMap((right) => ["--allow", right]);

let command: BuiltCommand;
let context: BrowserContext;
beforeAll(async () => {
  command = buildCommand();
  mkdirSync(join(command.directory, "flows"));
  mkdirSync(join(command.directory, "files"));
  command.write("flows/order.yaml", ORDER);
  command.write("flows/payment.yaml", PAYMENT);
  context = await (await sharedChrome()).newContext();
}, 120_000);
afterAll(async () => {
  await context.close();
  command.remove();
});

interface Ui {
  readonly url: string;
  readonly remote: Executor;
  readonly started: Started;
}

async function serveUi(store: string, rights: readonly string[] = ALL, token?: string): Promise<Ui> {
  if (token !== undefined) vi.stubEnv("WAVEPOINT_TOKEN", token);
  const started = command.start("serve", "flows", "--ui", "--port", "0", "--store", store, "--allow-files", "files", ...rights);
  vi.unstubAllEnvs();
  const [, url] = /Dashboard at (\S+)\/ui\//.exec(await started.said("Dashboard at"))!;
  const remote = remoteExecutor(url!, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  return { url: url!, remote, started };
}

async function end({ remote, started }: Ui): Promise<void> {
  await remote.close();
  started.process.kill("SIGINT");
  const { code, err } = await started.ended;
  if (code !== 0) throw new Error(`The command ended with ${code}: ${err}`);
}

/** What axe finds on the page as it stands. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate((runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(root: Document, options: object): Promise<{ passes: unknown[]; violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    return axe.run(document, { runOnly, resultTypes: ["violations"] });
  }, RULES);
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

const row = (page: Page, run: string) => page.locator(`.row[data-run="${run}"]`);

// One server, whose runs become more from test to test.
describe("the dashboard of a server", { shuffle: false }, () => {
  let ui: Ui;
  let page: Page;
  let faults: string[];
  let ids: Record<"ada" | "grace" | "linus" | "failed", string>;
  beforeAll(async () => {
    ui = await serveUi("runs");
    const start = async (workflow: string, inputs = {}) => {
      const run = await ui.remote.start(workflow, inputs);
      await run.settled();
      return run.id;
    };
    const failed = await start("payment");
    const [ada, grace, linus] = [
      await start("order", { customer: "Ada" }),
      await start("order", { customer: "Grace" }),
      await start("order", { customer: "Linus" }),
    ];
    ids = { ada: ada!, grace: grace!, linus: linus!, failed };
  }, 60_000);
  afterAll(() => end(ui));
  beforeEach(async () => {
    page = await context.newPage();
    faults = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", ({ message }) => faults.push(message));
  });
  afterEach(async () => {
    await page.close();
    if (faults.length > 0) throw new Error(`The page told of faults: ${faults.join()}`);
  });
  const go = (hash = "#/") => page.goto(`${ui.url}/ui/${hash}`);

  test("lists runs with why they stand as they do, and filters them by status, workflow, values and text", async () => {
    await go();
    await expect.poll(() => page.locator(".row").count()).toBe(4);
    await expect.poll(() => row(page, ids.failed).innerText()).toContain('There is no file "account.txt"');
    await expect.poll(() => row(page, ids.ada).innerText()).toMatch(/Order of Ada[\s\S]*Waiting[\s\S]*What shall we cook for Ada\?/);

    await page.getByRole("link", { name: "Failed" }).click();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    expect(page.url()).toBe(`${ui.url}/ui/#/?status=failed`);

    // A filter is an address of its own.
    await go("#/?workflow=order");
    await expect.poll(() => page.locator(".row").count()).toBe(3);
    const search = page.getByLabel("Search", { exact: true });
    await search.fill("customer=Grace");
    await search.press("Enter");
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    await row(page, ids.grace).waitFor();
    await search.fill("cook for lin");
    await search.press("Enter");
    await row(page, ids.linus).waitFor();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    await search.fill("nothing like it");
    await search.press("Enter");
    await page.getByText("There is no such run").waitFor();
    // An id leads to its run.
    await search.fill(ids.failed);
    await search.press("Enter");
    await page.getByRole("heading", { name: "payment", level: 1 }).waitFor();
  });

  test("a question is answered, and the run is seen to complete without a reload", async () => {
    await go();
    await row(page, ids.ada).getByRole("link").click();
    await page.getByRole("heading", { name: "Order of Ada", level: 1 }).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    // A draft that comes after the answer would be refused, which browsers note.
    const kept = page.waitForResponse((response) => response.url().endsWith("/draft"));
    await page.getByLabel("Soup").check();
    await kept;
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(".run-head").getByText("Completed").waitFor();
    await page.getByRole("tab", { name: "Answers" }).click();
    await page.locator(".answers .answer").getByText("Soup").waitFor();
    await page.getByRole("tab", { name: "Data" }).click();
    await page.locator("[part=data]").getByText("One Soup").first().waitFor();
    expect(await page.evaluate(() => "isSame" in globalThis)).toBe(true);
    expect((await ui.remote.open(ids.ada)).getSnapshot().outputs).toEqual({ served: "One Soup" });
  });

  test("a deep link opens a run with its timeline or its journal, which grow as the run goes on", async () => {
    await go(`#/run/${ids.linus}/timeline`);
    const row = (block: string, status: string) => page.locator(`[part~=timeline-row][data-block=${block}][data-status=${status}]`);
    await row("dish", "paused").locator("[part~=timeline-bar]").waitFor({ state: "attached" });
    expect(await row("cook", "pending").locator("[part~=timeline-bar]").count()).toBe(0);
    const run = await ui.remote.open(ids.linus);
    await run.answer(run.getSnapshot().pauses[0]!.id, "Fish");
    await row("cook", "completed").locator("[part~=timeline-bar]").waitFor({ state: "attached" });
    await page.getByRole("tab", { name: "Journal" }).click();
    expect(page.url()).toBe(`${ui.url}/ui/#/run/${ids.linus}/journal`);
    await page.locator("[data-type=finished]").waitFor();
    const types = await page.locator("[part~=journal-row]").evaluateAll((rows) => rows.map((one) => (one as HTMLElement).dataset["type"]));
    expect(types[0]).toBe("finished");
    expect(types.at(-1)).toBe("started");
    const told = (await run.journal()).items;
    expect(types).toEqual(told.map(({ entry }) => entry.type));
    await page.locator("[data-type=answered] summary").click();
    await page.locator("[data-type=answered] pre").getByText('"Fish"').waitFor();
  });

  test("a failed run says why, and is retried once that is mended", async () => {
    await go(`#/run/${ids.failed}`);
    await page.locator(".standing").getByText("FILE_MISSING").waitFor();
    await page.getByRole("tabpanel").getByText("account", { exact: true }).first().waitFor();
    command.write("files/account.txt", "12 coins");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.locator(".run-head").getByText("Completed").waitFor();
    expect((await ui.remote.open(ids.failed)).getSnapshot().outputs).toEqual({ account: "12 coins" });
    expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
  });

  test("a run is stopped, resumed, cancelled with a reason, exported, forked and deleted", async () => {
    const { id } = await ui.remote.start("order", { customer: "Margaret" });
    await go(`#/run/${id}/history`);
    await page.getByRole("button", { name: "Stop for now" }).click();
    await page.locator(".run-head").getByText("Stopped").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator(".run-head").getByText("Waiting").waitFor();

    await page.getByRole("button", { name: /^Fork/ }).first().click();
    await expect.poll(() => page.url()).not.toContain(id);
    const fork = /#\/run\/([^/]+)/.exec(page.url())![1]!;
    expect((await ui.remote.open(fork)).getSnapshot().fork?.run).toBe(id);

    await page.locator(".facts").getByRole("link", { name: id }).click();
    await page.getByRole("button", { name: "Cancel…" }).click();
    await page.getByLabel("Reason").fill("The kitchen is closed.");
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.locator(".run-head").getByText("Cancelled").waitFor();
    await page.locator(".standing").getByText("The kitchen is closed.").waitFor();

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${id}.run`);
    expect(readFileSync(await file.path(), "utf8")).toContain(id);

    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete the run" }).click();
    await page.getByRole("heading", { name: "All runs", level: 1 }).waitFor();
    await expect.poll(() => row(page, id).count()).toBe(0);
    await expect(ui.remote.open(id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await ui.remote.runs.delete(fork);
  });

  test("many runs are counted before they are cancelled; one that is not meant stays", async () => {
    const kept = (await ui.remote.start("order", { customer: "Kept" })).id;
    const many = await Promise.all(["Zoe", "Zoe", "Zoe"].map((customer) => ui.remote.start("order", { customer })));
    await Promise.all(many.map((run) => run.settled()));
    await go("#/?status=paused&find=customer%3DZoe");
    await expect.poll(() => page.locator(".row").count()).toBe(3);
    await page.getByRole("button", { name: "With all that match…" }).click();
    await page.getByRole("radio", { name: /^Cancel/ }).check();
    await page.getByRole("button", { name: "Count the runs" }).click();
    await page.getByText("3 runs would be cancelled.").waitFor();
    expect((await ui.remote.open(many[0]!.id)).getSnapshot().status).toBe("paused");
    await page.getByRole("button", { name: "Cancel 3 runs" }).click();
    await page.getByText("3 of 3 runs are cancelled.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    for (const { id } of many) expect((await ui.remote.open(id)).getSnapshot().status).toBe("cancelled");
    expect((await ui.remote.open(kept)).getSnapshot().status).toBe("paused");

    // The same with runs that are picked.
    await go(`#/?workflow=order`);
    await page.getByLabel(`Pick Order of Kept, ${kept}`).check();
    await page.getByRole("button", { name: "With 1 picked…" }).click();
    await page.getByRole("radio", { name: /^Delete/ }).check();
    await page.getByRole("button", { name: "Count the runs" }).click();
    await page.getByRole("button", { name: "Delete 1 run" }).click();
    await page.getByText("1 of 1 run is deleted.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => row(page, kept).count()).toBe(0);
  });

  test("a list shows at once what others do, and pages through more runs than it shows", async () => {
    await go("#/?status=completed&workflow=payment");
    await page.locator(".row, .empty").first().waitFor();
    const runs = await Promise.all(Array.from({ length: 60 }, () => ui.remote.start("payment")));
    await Promise.all(runs.map((run) => run.settled()));
    await expect.poll(() => page.locator(".row").count()).toBe(50);
    await page.getByText("Page 1, 50 runs, more follow").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText(/^Page 2, 1[01] runs$/).waitFor();
    await page.getByRole("button", { name: "Previous page" }).click();
    await page.getByText("Page 1, 50 runs, more follow").waitFor();
  });

  test("axe finds nothing on any state, wide and narrow, light and dark", { timeout: 120_000 }, async () => {
    const found: string[] = [];
    for (const [width, colorScheme] of [
      [1440, "light"],
      [360, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const { id } = await ui.remote.start("order", { customer: "Axe" });
      for (const [state, hash, ready] of [
        ["list", "#/", ".row"],
        ["nothing found", "#/?workflow=none", ".empty"],
        ["graph", `#/run/${id}`, "wavepoint-waves svg"],
        ["timeline", `#/run/${id}/timeline`, "[part~=timeline-row]"],
        ["journal", `#/run/${id}/journal`, "[part~=journal-row]"],
        ["answers", `#/run/${id}/answers`, ".answers li"],
        ["data", `#/run/${ids.ada}/data`, "[part=data] dd"],
        ["history", `#/run/${id}/history`, "[part~=checkpoint]"],
      ] as const) {
        await go(hash);
        await page.locator(ready).first().waitFor();
        for (const violation of await violations(page)) found.push(`${state}, ${width}: ${violation}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (overflow > 0) found.push(`${state} is ${overflow} px too wide for ${width}`);
      }
      await page.getByRole("button", { name: "Cancel…" }).click();
      for (const violation of await violations(page)) found.push(`dialog, ${width}: ${violation}`);
      await go("#/");
      await page.getByRole("button", { name: "With all that match…" }).click();
      for (const violation of await violations(page)) found.push(`many runs, ${width}: ${violation}`);
    }
    expect(found).toEqual([]);
  });

  test("the keyboard alone reaches a run, its tabs and its form", async () => {
    await go("#/?workflow=order");
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await page.locator(".row-link").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Graph" }).waitFor();
    // The heading has the focus, so that people who listen hear where they are.
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("h1");
    await page.getByRole("tab", { name: "Graph" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Timeline" }).getAttribute("aria-selected")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Timeline");
  });

  test("the page loads nothing from elsewhere, and no other page may frame it", async () => {
    const { headers } = await fetch(`${ui.url}/ui/`);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect((await fetch(`${ui.url}/ui`)).url).toBe(`${ui.url}/ui/`);
    expect((await fetch(`${ui.url}/ui/other.js`)).status).toBe(404);
  });
});

test("what the rights do not allow is not offered", async () => {
  const full = await serveUi("reading");
  const { id } = await full.remote.start("order", { customer: "Ada" });
  await end(full);
  const ui = await serveUi("reading", ["--allow", "read"]);
  onTestFinished(() => end(ui));
  const page = await context.newPage();
  await page.goto(`${ui.url}/ui/`);
  await row(page, id).waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  expect(await page.getByRole("button", { name: /match/ }).count()).toBe(0);
  await row(page, id).getByRole("link").click();
  await page.locator(".question").getByText("What shall we cook for Ada?").waitFor();
  await page.getByRole("tabpanel").waitFor();
  expect(await page.locator(".actions").count()).toBe(0);
  expect(await page.getByRole("button", { name: /Answer|Fork/ }).count()).toBe(0);
  expect(await page.getByRole("tab", { name: "History" }).count()).toBe(0);
  await page.close();
});

test("without the token of the server there is nothing to see, and with it all", async () => {
  const ui = await serveUi("guarded", ALL, TOKEN);
  onTestFinished(() => end(ui));
  const { id } = await ui.remote.start("order", { customer: "Ada" });
  const page = await context.newPage();
  await page.goto(`${ui.url}/ui/#/run/${id}`);
  const token = page.getByLabel("Token");
  await token.waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.content()).not.toContain("order");
  for (const path of ["rights", "runs", `runs/${id}`, `runs/${id}/journal`]) expect((await fetch(`${ui.url}/${path}`)).status).toBe(401);

  await token.fill("a wrong one");
  await page.getByRole("button", { name: "Show the runs" }).click();
  await page.getByText("The server does not take this token").waitFor();
  await token.fill(TOKEN);
  await page.getByRole("button", { name: "Show the runs" }).click();
  await page.getByRole("heading", { name: "order", level: 1 }).waitFor();
  // The token stays through a reload, and in no address.
  await page.reload();
  await page.getByRole("heading", { name: "order", level: 1 }).waitFor();
  expect(page.url()).not.toContain(TOKEN);
  await page.getByRole("button", { name: "Sign out" }).click();
  await token.waitFor();
  await page.reload();
  await token.waitFor();
  await page.close();
});

test("the page says that its server went away, and goes on when it is back", async () => {
  const ui = await serveUi("away");
  const { id } = await ui.remote.start("order", { customer: "Ada" });
  const page = await context.newPage();
  await page.goto(`${ui.url}/ui/#/run/${id}`);
  await page.getByRole("heading", { name: "order", level: 1 }).waitFor();
  await end(ui);
  await page.getByText("The server cannot be reached").waitFor();
  const again = command.start("serve", "flows", "--ui", "--port", new URL(ui.url).port, "--store", "away", ...ALL);
  onTestFinished(() => void again.process.kill("SIGKILL"));
  await again.said("Dashboard at");
  await page.getByText("The server cannot be reached").waitFor({ state: "detached", timeout: 30_000 });
  await page.getByLabel("Fish").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".run-head").getByText("Completed").waitFor();
  await page.close();
});
