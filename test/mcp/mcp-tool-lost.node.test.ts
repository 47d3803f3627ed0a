import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { createExecutor, defineBlock, success, type Block, type Executor, type Workflow } from "wavepoint";
import { mcpTool, type GrantedServer } from "wavepoint/mcp/client";
import { memoryStore } from "wavepoint/store/memory";
import { LegacySessions } from "../../src/mcp/server/legacy-sessions.ts";
import { freePort } from "../support/free-port.ts";
import { ERAS, type Era } from "./clients.ts";

const SCRIPT = fileURLToPath(new URL("tool-server.mjs", import.meta.url));

let folder: string;
let log: string;
const open: { close(): Promise<unknown> }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wavepoint-mcp-"));
  log = join(folder, "log");
});
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

function logged(): readonly string[] {
  try {
    return readFileSync(log, "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

const inProcess = (era: Era): GrantedServer => ({
  transport: () => new StdioClientTransport({ command: process.execPath, args: [SCRIPT, era, log], stderr: "ignore" }),
});

/** Kills the process of the server that was called last. */
function killServer(): void {
  const [, pid] = /begins in (\d+)/.exec(logged().findLast((line) => line.startsWith("begins"))!)!;
  process.kill(Number(pid), "SIGKILL");
}

const kill = defineBlock({
  type: "Kill",
  execute() {
    killServer();
    return success({});
  },
});

const work = (id: string, more: Partial<Block> = {}, ms = 0): Block => ({
  id,
  type: "McpTool",
  inputs: { server: "tools", tool: "work", arguments: { ms } },
  ...more,
});

function executorFor(server: GrantedServer, blocks: readonly Block[]): Executor {
  const workflow: Workflow = { name: "outer", blocks, outputs: { result: `\${blocks.${blocks.at(-1)!.id}.outputs.result}` } };
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow], blocks: [kill, mcpTool({ servers: { tools: server } })] });
  open.push(executor);
  return executor;
}

describe.each(ERAS)("a server of %s whose process is killed", (era) => {
  test("in the middle of a call: whether it took effect is asked, and it is never called again unasked", async () => {
    const executor = executorFor(inProcess(era), [work("call", { retry: { maxAttempts: 3, delayMs: 1 } }, 60_000)]);
    const run = await executor.start("outer");
    await expect.poll(logged).toHaveLength(1);
    killServer();
    const lost = await run.settled();
    expect(lost).toMatchObject({ status: "paused" });
    const [pause] = lost.pauses!;
    expect(pause!.schema.properties?.["outcome"]?.oneOf?.map((one) => one.const)).toEqual(["done", "failed", "again"]);
    expect(logged()).toHaveLength(1);
    const failed = await run.answer(pause!.id, { outcome: "done", outputs: { result: "seen there", content: [] } });
    expect(failed).toMatchObject({ status: "success", outputs: { result: "seen there" } });
  });

  test("between two calls: the next one has a connection of its own", async () => {
    const executor = executorFor(inProcess(era), [
      work("first"),
      { id: "kill", type: "Kill", dependsOn: ["first"] },
      work("second", { dependsOn: ["kill"] }),
    ]);
    expect(await (await executor.start("outer")).settled()).toMatchObject({ status: "success", outputs: { result: "done" } });
    const began = logged().filter((line) => line.startsWith("begins"));
    expect(new Set(began).size).toBe(2);
  });
});

/** A server over HTTP that can be started anew at its address. */
async function overHttp(era: Era) {
  let calls = 0;
  const make = () => {
    const server = new McpServer({ name: "tools", version: "1" });
    const inputSchema = fromJsonSchema<{ ms: number }>({ type: "object", properties: { ms: { type: "number" } } });
    server.registerTool("work", { inputSchema }, async ({ ms }) => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, ms).unref());
      return { content: [{ type: "text", text: "done" }] };
    });
    return server;
  };
  const listen = async (port: number): Promise<Server> => {
    const http = era === "2026" ? createMcpHandler(make, { legacy: "reject" }) : new LegacySessions(make);
    const handle = toNodeHandler(http);
    const server = createServer((request, response) => void handle(request as NodeIncomingMessageLike, response));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return server;
  };
  const stop = (server: Server) => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  const port = await freePort();
  let server = await listen(port);
  open.push({ close: () => stop(server) });
  const granted: GrantedServer = { transport: () => new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)) };
  return {
    granted,
    calls: () => calls,
    async restart() {
      await stop(server);
      server = await listen(port);
    },
  };
}

describe.each(ERAS)("a server of %s over HTTP that is started anew", (era) => {
  test("between two calls: the next one finds it, though its session is gone", async () => {
    const http = await overHttp(era);
    const restart = defineBlock({
      type: "Restart",
      async execute() {
        await http.restart();
        return success({});
      },
    });
    const workflow: Workflow = {
      name: "outer",
      blocks: [work("first"), { id: "restart", type: "Restart", dependsOn: ["first"] }, work("second", { dependsOn: ["restart"] })],
      outputs: { result: "${blocks.second.outputs.result}" },
    };
    const executor = createExecutor({
      store: memoryStore(),
      workflows: [workflow],
      blocks: [restart, mcpTool({ servers: { tools: http.granted } })],
    });
    open.push(executor);
    expect(await (await executor.start("outer")).settled()).toMatchObject({ status: "success", outputs: { result: "done" } });
    expect(http.calls()).toBe(2);
  });

  test("in the middle of a call: the run says so, and asks before it is made again", async () => {
    const http = await overHttp(era);
    const executor = executorFor(http.granted, [work("call", {}, 60_000)]);
    const run = await executor.start("outer");
    await expect.poll(http.calls).toBe(1);
    await http.restart();
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "CONNECTION_LOST" } });
    expect(await run.resume()).toMatchObject({ status: "paused" });
    expect(http.calls()).toBe(1);
  });
});
