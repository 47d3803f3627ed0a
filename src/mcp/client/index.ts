export type { GrantedServer, GrantedServers, KnownTool } from "./granted-servers.ts";
export { mcpTool, type McpToolOptions } from "./mcp-tool.ts";
export type { McpToolBlock } from "./tool-types.ts";
export { readTools } from "./server-connection.ts";
