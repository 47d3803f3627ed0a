import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createExecutor, type Run, type Workflow } from "wavepoint";
import { httpListener } from "wavepoint/node";
import { serve } from "wavepoint/server";
import { memoryStore } from "wavepoint/store/memory";
import { sharedChrome } from "../../support/shared-chrome.ts";
import { serveBuiltApps, type BuiltApps } from "../../examples/built-apps.ts";

const claim: Workflow = {
  name: "claim",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?" } },
    { id: "town", type: "GetInput", dependsOn: ["name"], inputs: { prompt: "Your town?" } },
    { id: "story", type: "GetInput", dependsOn: ["town"], inputs: { prompt: "What happened?" } },
  ],
  outputs: { name: "${blocks.name.input_value}", town: "${blocks.town.input_value}", story: "${blocks.story.input_value}" },
};

let apps: BuiltApps;

beforeAll(async () => {
  // The page asks a server of another origin, as pages on a host for files do.
  const policy = "default-src 'self'; connect-src 'self' http://127.0.0.1:*";
  apps = await serveBuiltApps({ folders: ["test/browser/elements/pages/remote"], policy });
}, 120_000);

afterAll(() => apps.close());

/** A server that takes its time with answers. */
interface SlowServer {
  /** Keeps answers waiting, before the server looks at them or after, until they are released. */
  hold(when: "before" | "after"): void;
  release(): void;
  /** How many answers came. */
  answers: number;
  /** Whether connections break at once. */
  isCut: boolean;
  cut(): void;
}

/** A page whose run is on such a server. */
async function openPage(workflow = claim, first = "Your name?") {
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const served = serve({ executor, authorize: () => true, allow: ["read", "start", "answer"], origins: [apps.origin] });
  const http = createServer((request, response) => {
    if (server.isCut) request.destroy();
    else listener(request, response);
  });
  const held: { before?: Promise<void>; after?: Promise<void> } = {};
  const server: SlowServer = {
    hold(when) {
      held[when] = new Promise((resolve) => (server.release = resolve));
    },
    release() {},
    answers: 0,
    isCut: false,
    cut() {
      server.isCut = true;
      http.closeAllConnections();
    },
  };
  const listener = httpListener(async (request) => {
    if (request.method !== "POST" || !request.url.endsWith("/answers")) return served.fetch(request);
    server.answers += 1;
    await held.before;
    const response = await served.fetch(request);
    await held.after;
    return response;
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const context = await (await sharedChrome()).newContext();
  onTestFinished(async () => {
    await context.close();
    served.close();
    await executor.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const page = await context.newPage();
  await page.goto(`${apps.origin}/test/browser/elements/pages/remote/#http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  await question(page, first).waitFor();
  const [head] = (await executor.runs.list({ limit: 1 })).items;
  return { page, server, run: await executor.open(head!.id) };
}

/** What was answered; of a question without an answer its name. */
async function answersOf(run: Run) {
  await run.refresh();
  return (await run.answers()).map(({ block, status, answer }) => (status === "answered" ? [block, answer] : block));
}

const question = (page: Page, text: string) => page.getByRole("heading", { name: text });

test("while an answer is on its way the page says so; a second click, and a second Enter, answer nothing", async () => {
  const { page, server, run } = await openPage();
  server.hold("before");
  await page.getByRole("textbox").pressSequentially("Ada");
  await page.getByRole("button", { name: "Continue" }).dblclick();
  await page.getByRole("button", { name: "Sending…" }).waitFor();
  expect(await page.locator("form").getAttribute("aria-busy")).toBe("true");
  server.release();
  await question(page, "Your town?").waitFor();
  server.hold("before");
  await page.getByRole("textbox").pressSequentially("Hove");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sending…" }).waitFor();
  server.release();
  await question(page, "What happened?").waitFor();
  expect(server.answers).toBe(2);
  expect(await answersOf(run)).toEqual([["name", "Ada"], ["town", "Hove"], "story"]);
});

test("what is typed after an answer was sent is no part of it, and is shown", async () => {
  const { page, server, run } = await openPage();
  server.hold("before");
  await page.getByRole("textbox").pressSequentially("Ada");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sending…" }).waitFor();
  await page.keyboard.type(" Lovelace");
  server.release();
  await question(page, "Your town?").waitFor();
  await page.getByText("Ada Lovelace").waitFor();
  expect(await answersOf(run)).toEqual([["name", "Ada"], "town", "story"]);
});

test("the browser's Back leads to the answer before, also while one is on its way; what was typed is there again", async () => {
  const { page, server, run } = await openPage();
  await page.getByRole("textbox").pressSequentially("Ada");
  await page.keyboard.press("Enter");
  await question(page, "Your town?").waitFor();
  await page.getByRole("textbox").pressSequentially("Hov");
  await page.goBack({ waitUntil: "commit" });
  await question(page, "Your name?").waitFor();
  await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("Ada");
  await page.goForward({ waitUntil: "commit" });
  await question(page, "Your town?").waitFor();
  await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("Hov");

  server.hold("before");
  await page.getByRole("textbox").press("End");
  await page.keyboard.type("e");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Sending…" }).waitFor();
  await page.goBack({ waitUntil: "commit" });
  await question(page, "Your name?").waitFor();
  server.release();
  await page.getByText("An earlier answer was changed in the meantime").waitFor();
  expect(await answersOf(run)).toEqual(["name", "town", "story"]);
  await page.getByRole("button", { name: "Continue" }).click();
  await question(page, "Your town?").waitFor();
  await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("Hove");
});

test.each(["before", "after"] as const)(
  "a reload in the middle of sending loses nothing, and sends nothing twice: %s the server has looked at it",
  async (when) => {
    const { page, server, run } = await openPage();
    server.hold(when);
    await page.getByRole("textbox").pressSequentially("Ada");
    await page.keyboard.press("Enter");
    await expect.poll(() => server.answers).toBe(1);
    await page.reload();
    // Before the server has looked at the answer, what was typed stands there; then the page goes on by itself.
    if (when === "before") {
      await question(page, "Your name?").waitFor();
      await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("Ada");
    }
    server.release();
    await question(page, "Your town?").waitFor();
    expect(await answersOf(run)).toEqual([["name", "Ada"], "town", "story"]);
    expect(server.answers).toBe(1);
  },
);

test("what is typed while the server is away is saved once it is back, and the page says both", async () => {
  const { page, server, run } = await openPage();
  await page.getByRole("textbox").pressSequentially("Ad");
  await page.getByText("Saved", { exact: true }).waitFor();
  server.cut();
  await page.getByRole("textbox").press("End");
  await page.keyboard.type("a");
  await page.getByText("Not saved yet. The connection is gone.").waitFor();
  server.isCut = false;
  await page.getByText("Saved", { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("Ada");
  await page.getByRole("button", { name: "Continue" }).click();
  await question(page, "Your town?").waitFor();
  expect(await answersOf(run)).toEqual([["name", "Ada"], "town", "story"]);
});

test("a list that is searched stays open while what was typed is saved, though its control came later than its question", async () => {
  const choices = Array.from({ length: 16 }, (_, i) => `Harbour ${i + 1}`);
  const { page } = await openPage(
    {
      name: "claim",
      blocks: [
        { id: "wait", type: "Wait", inputs: { duration_ms: 700 } },
        {
          id: "harbour",
          type: "Form",
          dependsOn: ["wait"],
          inputs: { prompt: "Which harbour?", fields: [{ name: "harbour", enum: choices }] },
        },
      ],
    },
    "Which harbour?",
  );
  const search = page.getByRole("combobox");
  await search.click();
  await page.keyboard.type("1");
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(await search.getAttribute("aria-expanded")).toBe("true");
  await page.getByRole("option", { name: "Harbour 12" }).click();
  expect(await search.inputValue()).toBe("Harbour 12");
});
