export { mcpHttp, type McpHttp, type McpHttpOptions } from "./server/http.ts";
export { mcpServer, type McpServerOptions } from "./server/server.ts";
export type { Access } from "./tools/access.ts";
export type { ToolHostOptions } from "./tools/host.ts";
