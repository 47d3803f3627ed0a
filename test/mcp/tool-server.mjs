// A server of tools in a process of its own, over standard input and output, that can be killed. It speaks 2025 or 2026, and tells of its calls in a file.
import { appendFileSync } from "node:fs";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const [era, log] = process.argv.slice(2);
const tell = (/** @type {string} */ text) => appendFileSync(log ?? "", `${text}\n`);

function makeServer() {
  const server = new McpServer({ name: "tools", version: "1" });
  const inputSchema = fromJsonSchema({ type: "object", properties: { ms: { type: "number" } }, additionalProperties: false });
  server.registerTool("work", { description: "Works for a while.", inputSchema }, async (/** @type {{ ms?: number }} */ { ms = 0 }) => {
    tell(`begins in ${process.pid}`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    tell("ends");
    return { content: [{ type: "text", text: "done" }] };
  });
  return server;
}

if (era === "2026") serveStdio(makeServer);
else await makeServer().connect(new StdioServerTransport());
