import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProfile, startChrome, type Chrome, type Profile } from "../support/chrome.ts";
import { servePages, type PageServer } from "../support/serve.ts";

// A page with one question, kept in IndexedDB. What it shows is what somebody would see in the field.
const SCRIPT = `
  import { createExecutor } from "wavepoint";
  import { indexedDbStore } from "wavepoint/store/indexeddb";
  const ask = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Your name?" } }] };
  const store = indexedDbStore({ name: "drafts" });
  const executor = createExecutor({ store, workflows: [ask] });
  const [known] = (await executor.runs.list()).items;
  const run = known ? await executor.open(known.id) : await executor.start("ask");
  if (!known) await run.settled();
  const pause = run.getSnapshot().pauses[0]?.id;
  globalThis.field = {
    type: (text) => run.saveDraft(pause, text),
    look: async () => (await run.refresh(), run.getSnapshot().pauses.map(({ draft }) => draft)),
    shown: () => run.getSnapshot().pauses.map(({ draft }) => draft),
    send: async (text) => (await run.answer(pause, text)).status,
    kept: async () => (await store.notes(run.id)).map(({ text }) => text),
  };
`;

interface Field {
  type(text: string): Promise<void>;
  look(): Promise<readonly unknown[]>;
  shown(): readonly unknown[];
  send(text: string): Promise<string>;
  kept(): Promise<readonly string[]>;
}

declare global {
  var field: Field;
}

let server: PageServer;
let profile: Profile;
let chrome: Chrome | undefined;

beforeAll(async () => {
  server = await servePages(SCRIPT);
  profile = createProfile();
});

afterAll(async () => {
  await chrome?.kill();
  await server.close();
  profile.remove();
});

async function openTab(): Promise<Page> {
  chrome ??= await startChrome(profile);
  const page = await chrome.context.newPage();
  await page.goto(`${server.origin}/test-page`);
  await page.waitForFunction(() => "field" in globalThis);
  return page;
}

test("two tabs share a draft; it survives kill -9 of the browser, and ends with the answer in both", async () => {
  const first = await openTab();
  await first.evaluate(() => field.type("A"));
  await first.evaluate(() => field.type("Ad"));
  const second = await openTab();
  expect(await second.evaluate(() => field.shown())).toEqual(["Ad"]);
  await second.evaluate(() => field.type("Ada"));
  expect(await first.evaluate(() => field.look())).toEqual(["Ada"]);
  await chrome!.kill();
  chrome = undefined;

  const [third, fourth] = [await openTab(), await openTab()];
  expect(await third.evaluate(() => field.shown())).toEqual(["Ada"]);
  expect(await third.evaluate(() => field.send(""))).toBe("failure");
  expect(await fourth.evaluate(() => field.look())).toEqual(["Ada"]);
  expect(await fourth.evaluate(() => field.kept())).toEqual(['"Ada"']);
  expect(await third.evaluate(() => field.send("Ada"))).toBe("success");
  expect(await fourth.evaluate(() => field.look())).toEqual([]);
  expect(await fourth.evaluate(() => field.type("late").catch((error: { code: string }) => error.code))).toBe("PAUSE_ALREADY_ANSWERED");
  expect(await fourth.evaluate(() => field.kept())).toEqual([]);
});
