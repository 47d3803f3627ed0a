import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Run } from "wavepoint";
import { plantedFault } from "../../scripts/planted-faults/plugin.mjs";
import { buildPage, PAGES } from "../../scripts/size/pages.mjs";
import { sharedChrome } from "../support/shared-chrome.ts";

/** What the page does once the server has another version of it: it changes its mind in each way, and goes on to the end. */
async function goOn(): Promise<unknown> {
  const answers: Readonly<Record<string, string>> = { email: "ada@example.org", plan: "team", confirm: "yes" };
  const open = (run: Run) => run.getSnapshot().pauses[0]!;
  const finish = async (run: Run) => {
    let result = await run.settled();
    while (result.status === "paused") result = await run.answer(open(run).id, answers[String(open(run).path.at(-1))]!);
    return result;
  };
  const run = Reflect.get(globalThis, "run") as Run;
  const first = open(run).id;
  await run.saveDraft(first, "ad");
  await run.answer(first, "ada@example");
  await run.answer(open(run).id, "solo");
  await run.back();
  await run.answer(open(run).id, "team");
  const review = await run.answers();
  const email = review.find(({ block }) => block === "email")!;
  await run.previewRevise(email.pause!, "ada@example.org");
  await run.revise(email.pause!, "ada@example.org");
  return finish(run);
}

/** A wizard whose second part is another workflow, which needs what the first part does not: blocks of other kinds, a secret, channels. */
const CALLING = `
  import { createExecutor } from "wavepoint";
  import { indexedDbStore } from "wavepoint/store/indexeddb";
  const visit = { name: "visit", blocks: [
    { id: "email", type: "GetInput", inputs: { prompt: "What is your e-mail address?" } },
    { id: "rest", type: "ExecuteWorkflow", dependsOn: ["email"], inputs: { workflow: "details" } },
  ] };
  const details = { name: "details", inputs: { token: { type: "string", required: false, secret: true } }, channels: { towns: { reduce: "append" } }, blocks: [
    { id: "form", type: "Form", inputs: { prompt: "And the rest?", fields: [{ name: "town", type: "string" }] }, writes: { towns: "\${blocks.form.outputs.town}" } },
  ], outputs: { towns: "\${channels.towns}" } };
  const executor = createExecutor({ store: indexedDbStore({ name: "visit" }), workflows: [visit, details] });
  window.run = await executor.start("visit", {});
  await window.run.settled();
  window.askedAt = performance.now();`;

async function answerBoth(): Promise<unknown> {
  const run = Reflect.get(globalThis, "run") as Run;
  const second = await run.answer(run.getSnapshot().pauses[0]!.id, "ada@example.org");
  if (second.status !== "paused") return second;
  return run.answer(run.getSnapshot().pauses[0]!.id, { town: "London" });
}

/** A wizard with a block of the page's own: what it gives may be more than plain JSON. */
const OWN_BLOCK = `
  import { createExecutor, defineBlock, success } from "wavepoint";
  import { indexedDbStore } from "wavepoint/store/indexeddb";
  const today = defineBlock({ type: "Today", inputs: { jsonSchema: { type: "object" } }, execute: async () => success({ day: new Date(0) }) });
  const visit = { name: "visit", blocks: [
    { id: "email", type: "GetInput", inputs: { prompt: "What is your e-mail address?" } },
    { id: "today", type: "Today", dependsOn: ["email"] },
  ], outputs: { day: "\${blocks.today.outputs.day}" } };
  const executor = createExecutor({ store: indexedDbStore({ name: "visit" }), workflows: [visit], blocks: [today] });
  window.run = await executor.start("visit", {});
  await window.run.settled();
  window.askedAt = performance.now();`;

async function answerOne(): Promise<unknown> {
  const run = Reflect.get(globalThis, "run") as Run;
  return run.answer(run.getSnapshot().pauses[0]!.id, "ada@example.org");
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Opens a page, takes all its files from the server once it asks, and then does something in it. Gives that, and what was missed. */
async function withoutServer(
  code: string,
  act: () => Promise<unknown>,
): Promise<{ readonly result: unknown; readonly missed: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "wavepoint-begun-"));
  folders.push(folder);
  await buildPage(folder, code, { fromSource: true, plugins: await plantedFault() });
  let isDeployedAnew = false;
  const missed: string[] = [];
  const server = createServer(({ url = "/" }, response) => {
    if (isDeployedAnew) missed.push(url);
    const file = url === "/" ? "index.html" : url;
    if (isDeployedAnew || !/\.(?:js|html)$/.test(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": file.endsWith(".js") ? "text/javascript" : "text/html" });
    return response.end(readFileSync(join(folder, "dist", file)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await (await sharedChrome()).newPage();
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => Reflect.get(globalThis, "askedAt"));
    isDeployedAnew = true;
    return { result: await page.evaluate(act), missed };
  } finally {
    await page.close();
    server.close();
  }
}

test("a run that has begun goes on to its end, with back and revise, where the server has none of its files any more", async () => {
  const { result, missed } = await withoutServer(PAGES["own markup, definition in code"], goOn);
  expect(result).toMatchObject({ status: "success" });
  expect(missed).toEqual([]);
}, 60_000);

test("so does one that calls another workflow, with other kinds of blocks, a secret and channels", async () => {
  const { result, missed } = await withoutServer(CALLING, answerBoth);
  expect(result).toMatchObject({ status: "success" });
  expect(missed).toEqual([]);
}, 60_000);

test("so does one whose own block gives a date", async () => {
  const { result, missed } = await withoutServer(OWN_BLOCK, answerOne);
  expect(result).toMatchObject({ status: "success", outputs: { day: new Date(0) } });
  expect(missed).toEqual([]);
}, 60_000);
