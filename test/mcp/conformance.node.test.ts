import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import type { McpServer } from "@modelcontextprotocol/server";
import { createExecutor } from "wavepoint";
import { mcpServer } from "wavepoint/mcp";
import { memoryStore } from "wavepoint/store/memory";
import { httpOf } from "../../src/mcp/server/http.ts";
import { addFixtures } from "./conformance-fixtures.ts";
import { add, deploy } from "./workflows.ts";

/** The suite brings a hundred packages, and is fetched from the registry where it is run: in the long tier alone. */
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const SUITE = "@modelcontextprotocol/conformance@0.1.11";

/** What the server does not offer: it writes no log to its clients, uses no model of theirs, and lists no changes of resources. */
const EXPECTED_FAILURES = [
  "logging-set-level",
  "resources-subscribe",
  "resources-unsubscribe",
  "tools-call-sampling",
  "tools-call-with-logging",
];

test.runIf(IS_LONG)(
  "the server does what the protocol's own suite wants, but for what it does not offer",
  { timeout: 300_000 },
  async () => {
    const executor = createExecutor({ store: memoryStore(), workflows: [add, deploy] });
    const factory = mcpServer({ executor, workflows: [add, deploy], workflowTools: true });
    const http = httpOf(async (context) => {
      const server = (await factory(context)) as McpServer;
      addFixtures(server);
      return server;
    });
    const handle = toNodeHandler(http);
    const server = createServer((request, response) => void handle(request as NodeIncomingMessageLike, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    try {
      const said = await new Promise<string>((resolve) => {
        // It ends with 1 where a scenario fails, as some are expected to.
        execFile("npx", ["--yes", SUITE, "server", "--url", url], (_, out, err) => resolve(`${out}${err}`));
      });
      const scenarios = [...said.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(([, mark, name]) => ({
        mark,
        name: name!,
      }));
      expect(scenarios.length, said).toBeGreaterThanOrEqual(30);
      expect(scenarios.flatMap(({ mark, name }) => (mark === "✗" ? [name] : [])).toSorted()).toEqual(EXPECTED_FAILURES);
    } finally {
      await http.close();
      server.closeAllConnections();
      server.close();
      await executor.close();
    }
  },
);
