import { request } from "node:http";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProfile, startChrome, type Chrome, type Profile } from "../../support/chrome.ts";
import { type BuiltCommand, buildCommand, type Started } from "./built-command.ts";

const VISIT = `name: visit
blocks:
  - id: who
    type: Form
    inputs: { prompt: Who is coming?, fields: [{ name: name, title: Your name }] }
  - id: meal
    type: AskChoice
    depends_on: [who]
    inputs: { question: "What will you eat, \${blocks.who.name}?", choices: [Fish, Vegetables] }
outputs: { meal: "\${blocks.meal.choice}" }
`;

let command: BuiltCommand;
let profile: Profile;
let chrome: Chrome;
/** One command serves all tests: a process and its page take longer to start than a test takes. */
let started: Started;
let address: string;
beforeAll(async () => {
  command = buildCommand();
  command.write("visit.yaml", VISIT);
  started = command.start("dev", "visit.yaml");
  profile = createProfile();
  chrome = await startChrome(profile);
  address = /http:\S+/.exec(await started.said("is shown at http"))![0];
}, 90_000);
afterAll(async () => {
  await chrome.close();
  profile.remove();
  started.process.kill("SIGINT");
  const { code, err } = await started.ended;
  command.remove();
  if (code !== 0) throw new Error(`The command ended with ${code}: ${err}`);
});

describe("the page of a workflow", { shuffle: false }, () => {
  let page: Page;
  let faults: string[];
  beforeEach(async () => {
    page = await chrome.context.newPage();
    faults = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.goto(address);
    await page.getByLabel("Your name").fill("Ada");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "What will you eat, Ada?" }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    if (faults.length > 0) throw new Error(`The page told of faults: ${faults.join()}`);
  });

  test("says what is wrong with the file, with line and column, and shows the run meanwhile", async () => {
    // What is not sent and not kept yet would be lost by loading the page again.
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    command.write("visit.yaml", VISIT.replace("AskChoice", "AskChoise"));
    const problems = page.getByRole("alert").filter({ hasText: "AskChoise" });
    await problems.waitFor();
    expect(await problems.innerText()).toContain("visit.yaml:7:11 error[BLOCK_TYPE_UNKNOWN]");
    expect(await page.getByRole("heading", { name: "What will you eat, Ada?" }).isVisible()).toBe(true);
    expect(await page.evaluate(() => "isSame" in globalThis)).toBe(true);
    command.write("visit.yaml", VISIT);
    await problems.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "What will you eat, Ada?" }).waitFor();
  });

  test("lists runs, begins others and goes back to them", async () => {
    const first = page.url();
    await page.getByRole("button", { name: "New run" }).click();
    await page.getByRole("heading", { name: "Who is coming?" }).waitFor();
    const [, run] = first.split("#") as [string, string];
    await expect.poll(() => page.locator("[aria-current]").innerText()).not.toBe(run);
    await page.getByRole("link", { name: run }).click();
    await page.getByRole("heading", { name: "What will you eat, Ada?" }).waitFor();
  });

  // The last one: it leaves another file.
  test("shows the file as it is saved, and its run goes on where it stood", async () => {
    command.write("visit.yaml", VISIT.replace("What will you eat", "What would you like"));
    await page.getByRole("heading", { name: "What would you like, Ada?" }).waitFor();
    await page.getByText("this is a fork of the run").waitFor();
    command.write("visit.yaml", `${VISIT.replace("What will you eat", "What would you like")}description: A visit.\n`);
    await page.getByText("this is a fork of the run").waitFor({ state: "detached" });
    await page.getByLabel("Fish").check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("completed,").waitFor();
    // Its first question is another one: asked again, with what was answered.
    command.write("visit.yaml", VISIT.replace("Who is coming?", "Who comes?"));
    await page.getByRole("heading", { name: "Who comes?" }).waitFor();
    await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Ada");
  });
});

test("pages of other hosts get nothing", async () => {
  const status = (headers: { readonly [name: string]: string }, path = "workflow") =>
    new Promise((resolve, reject) => {
      request(new URL(path, address), { headers, method: path === "run" ? "POST" : "GET" }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end(path === "run" ? "{}" : undefined);
    });
  const { host } = new URL(address);
  expect(await status({})).toBe(200);
  expect(await status({ host: "evil.example" })).toBe(403);
  expect(await status({ host, origin: "http://evil.example" }, "run")).toBe(403);
  expect(await status({ host, origin: `http://${host}` }, "run")).toBe(200);
  expect(await status({ host }, "../package.json")).toBe(404);
});

test("a port that is taken is named", async () => {
  const { port } = new URL(address);
  const { code, err } = await command.run("dev", "visit.yaml", "--port", port, "--store", "other");
  expect(code).toBe(2);
  expect(err).toContain(`The port ${port} cannot be used`);
});
