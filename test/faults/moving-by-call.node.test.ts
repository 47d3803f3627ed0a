import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { transferRun, type Store } from "wavepoint";
import { httpListener } from "wavepoint/node";
import { remoteExecutor } from "wavepoint/remote";
import { serve } from "wavepoint/server";
import { filesystemStore } from "wavepoint/store/filesystem";
import { memoryStore } from "wavepoint/store/memory";
import { ANSWERS, answerWizard, beginWizard, OUTPUTS, wizardExecutor } from "../support/moving-wizard.ts";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import { storyOf } from "../support/story-of.ts";

const pages = pagesInChrome();
const folder = mkdtempSync(join(tmpdir(), "wavepoint-moving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Handle = (request: Request) => Promise<Response>;

/** A server of its own behind a real socket. `around` may hold its answers. */
async function startServer(store: Store, around: (handle: Handle) => Handle = (handle) => handle) {
  const executor = wizardExecutor(store);
  const origins = [pages.origin];
  const served = serve({ executor, authorize: () => true, allow: ["read", "answer", "transfer"], origins });
  const server = createServer(httpListener(around(served.fetch)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    served.close();
    server.closeAllConnections();
    server.close();
    await executor.close();
  });
  return { executor, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("a run moves from a tab to a server, to another one and back, and says the same as one that stayed", async () => {
  const first = await startServer(filesystemStore(join(folder, "first")));
  const second = await startServer(filesystemStore(join(folder, "second")));
  const tab = await pages.open("mover");
  const run = await tab.evaluate(() => mover.begin(1, "not yet"));
  expect(await tab.evaluate(([id, url]) => mover.send(id, url), [run, first.url] as const)).toBe("paused");
  expect(await tab.evaluate((id) => mover.answer(id, ["A 12"]), run)).toBe(`RUN_TRANSFERRED: ${first.url}`);

  const there = await first.executor.open(run);
  expect(there.getSnapshot().pauses.map(({ draft }) => draft)).toEqual(["not yet"]);
  expect(await answerWizard(there, ["A 12"])).toBe("paused");
  await transferRun(run, { from: remoteExecutor(first.url), to: remoteExecutor(second.url), place: second.url });
  expect(await answerWizard(await second.executor.open(run), ["yes"])).toBe("success");
  expect(await tab.evaluate(([id, url]) => mover.fetch(id, url), [run, second.url] as const)).toBe("completed");
  expect(await tab.evaluate((id) => mover.outputs(id), run)).toEqual(OUTPUTS);

  const stayed = memoryStore();
  const other = await beginWizard(wizardExecutor(stayed), ANSWERS.length);
  expect(await tab.evaluate((id) => mover.story(id), run)).toEqual(await storyOf(stayed, other.id));
  await tab.close();
});

test("a run stays in a tab whose server is away", async () => {
  const { url } = await startServer(memoryStore(), () => () => Promise.reject(new Error("down")));
  const tab = await pages.open("mover");
  const run = await tab.evaluate(() => mover.begin(2));
  const moving = tab.evaluate(([id, there]) => mover.send(id, there).catch((error) => error.code), [run, url] as const);
  expect(await moving).toBe("STORE_UNREACHABLE");
  expect(await tab.evaluate((id) => mover.answer(id, ["yes"]), run)).toBe("success");
  await tab.close();
});

describe("a page that is killed while its run is on its way", () => {
  test.each(["before the server has it", "before it knows that the server has it"])("%s: the next page ends the move", async (moment) => {
    let arrived = (): void => {};
    const held = new Promise<void>((resolve) => (arrived = resolve));
    let isFirst = true;
    const { executor, url } = await startServer(memoryStore(), (handle) => async (request) => {
      if (!isFirst || !request.url.endsWith("/imports") || request.method !== "POST") return handle(request);
      isFirst = false;
      if (moment !== "before the server has it") await handle(request);
      arrived();
      return new Promise<Response>((resolve) => request.signal.addEventListener("abort", () => resolve(new Response(null))));
    });
    const tab = await pages.open("mover");
    const run = await tab.evaluate(() => mover.begin(2, "ye"));
    const cutOff = tab.evaluate(([id, there]) => mover.send(id, there), [run, url] as const).catch(() => "cut off");
    await held;
    await pages.kill();
    expect(await cutOff).toBe("cut off");

    const next = await pages.open("mover");
    expect(await next.evaluate((id) => mover.answer(id, ["yes"]), run)).toBe(`RUN_TRANSFERRED: ${url}`);
    expect(await next.evaluate(([id, there]) => mover.send(id, there), [run, url] as const)).toBe("paused");
    const there = await executor.open(run);
    expect(there.getSnapshot().pauses.map(({ draft }) => draft)).toEqual(["ye"]);
    expect(await answerWizard(there, ["yes"])).toBe("success");
    expect(there.getSnapshot().outputs).toEqual(OUTPUTS);
    await next.close();
  });
});
