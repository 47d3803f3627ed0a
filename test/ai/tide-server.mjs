// A server of tools over standard input and output. Each answer says which process gave it.
import process from "node:process";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "tides", version: "1" });
  server.registerTool("tide", { description: "When the tide is high.", inputSchema: z.object({ day: z.string() }) }, ({ day }) => ({
    content: [{ type: "text", text: `${day}: 10:40, says ${process.pid}` }],
  }));
  return server;
});
