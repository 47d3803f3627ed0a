import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createExecutor } from "wavepoint";
import { mcpHttp } from "wavepoint/mcp";
import { memoryStore } from "wavepoint/store/memory";
import { serveBuiltPages } from "../support/built-pages.ts";
import { sharedChrome } from "../support/shared-chrome.ts";
import { deploy } from "./workflows.ts";

test("a page calls a tool of a server at another origin, asks what it asks, and goes on after a reload", { timeout: 60_000 }, async () => {
  const executor = createExecutor({ store: memoryStore(), workflows: [deploy] });
  const http = mcpHttp({ executor, workflows: [deploy], token: "sesame" });
  const handle = toNodeHandler(http);
  const server = createServer((request, response) => void handle(request as NodeIncomingMessageLike, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const pages = await serveBuiltPages({
    entries: { calling: new URL("pages/calling.ts", import.meta.url) },
    headers: { "content-security-policy": `default-src 'none'; script-src 'self'; connect-src ${new URL(url).origin}` },
  });
  const page = await (await sharedChrome()).newPage();
  try {
    const load = async () => {
      await page.goto(`${pages.origin}/calling`);
      await expect.poll(() => page.title()).toBe("ready");
    };
    await load();
    let result = await page.evaluate((at) => calling.start(at), url);
    await load();
    for (const [prompt, answer] of [
      ["Deploy shop?", "yes"],
      ["How much traffic?", "half"],
      ["A note for the log?", "go"],
    ] as const) {
      expect(result).toMatchObject({ status: "paused", pauses: [{ prompt }] });
      result = await page.evaluate(([at, pause, answer]) => calling.answer(at, pause, { answer }), [
        url,
        result.pauses![0]!.id,
        answer,
      ] as const);
    }
    expect(result).toMatchObject({ status: "success", outputs: { result: { outputs: { traffic: "half", note: "go" } } } });
    // zod, on which the protocol's package stands, tries as it is loaded whether it may make code of texts, and does without.
    expect(await page.evaluate(() => calling.violations)).toEqual(["script-src eval"]);
  } finally {
    await page.close();
    await pages.close();
    await http.close();
    server.closeAllConnections();
    server.close();
    await executor.close();
  }
});
