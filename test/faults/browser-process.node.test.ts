import { afterAll, beforeAll, expect, test } from "vitest";
import { createProfile, startChrome, type Chrome, type Profile } from "../support/chrome.ts";
import { isGroupAlive, startGuarded } from "../support/guarded-process.ts";
import { servePages, type PageServer } from "../support/serve.ts";

// The page under test keeps numbers in IndexedDB, through a small library.
const SCRIPT = `
  import { openDB } from "idb";
  import { memoryStore } from "wavepoint/store/memory";
  const database = await openDB("numbers", 1, { upgrade: (created) => void created.createObjectStore("numbers") });
  globalThis.numbers = {
    kind: memoryStore().kind,
    keep: (value) => database.put("numbers", value, value),
    all: () => database.getAll("numbers"),
  };
`;

interface Numbers {
  readonly kind: string;
  keep(value: number): Promise<number>;
  all(): Promise<number[]>;
}

declare global {
  var numbers: Numbers;
}

let server: PageServer;
let profile: Profile;
let running: Chrome | undefined;

beforeAll(async () => {
  server = await servePages(SCRIPT);
  profile = createProfile();
});

afterAll(async () => {
  await running?.kill();
  await server.close();
  profile.remove();
});

async function openPage() {
  running = await startChrome(profile);
  const page = await running.context.newPage();
  await page.goto(`${server.origin}/test-page`);
  await page.waitForFunction(() => "numbers" in globalThis);
  return { page, chrome: running };
}

test("a page imports the sources by their public names", async () => {
  const { page, chrome } = await openPage();
  expect(await page.evaluate(() => numbers.kind)).toBe("memory");
  await chrome.close();
});

test("what a page has stored is there after kill -9 and a restart on the same profile", async () => {
  const before = await openPage();
  await before.page.evaluate(() => numbers.keep(1));
  await before.chrome.kill();

  const after = await openPage();
  expect(await after.page.evaluate(() => numbers.all())).toEqual([1]);
  await after.page.evaluate(() => numbers.keep(2));
  await after.chrome.close();

  const last = await openPage();
  expect(await last.page.evaluate(() => numbers.all())).toEqual([1, 2]);
  await last.chrome.close();
});

test("a guarded process ends with its whole group when its owner's end of the pipe closes", async () => {
  const group = startGuarded("/bin/sh", ["-c", "sleep 1000 & sleep 1000"]);
  expect(isGroupAlive(group.pid)).toBe(true);
  group.lifeline.destroy();
  await group.gone;
  expect(isGroupAlive(group.pid)).toBe(false);
});
