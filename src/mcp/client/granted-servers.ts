import type { Transport } from "@modelcontextprotocol/client";
import { WorkflowError } from "../../core/model/errors.ts";

/** A tool of a server, as the server describes it. */
export interface KnownTool {
  readonly name: string;
  readonly description?: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: object;
  /** The JSON Schema of the data that it gives, where it gives some. */
  readonly outputSchema?: object;
}

/** A server that the host grants to workflows. */
export interface GrantedServer {
  /** Makes a way to it: over HTTP, or in Node to a process that it starts. Called again after the connection was lost. */
  transport(): Transport | Promise<Transport>;
  /**
   * The tools that workflows may call: by name, or as `readTools` gives them. Of those what workflows write is checked when they are loaded, and TypeScript
   * knows their types. Default: all of the server's.
   */
  readonly tools?: readonly (string | KnownTool)[];
}

/** The servers that a host grants, by the names that workflows give them. */
export type GrantedServers = Readonly<Record<string, GrantedServer>>;

/** Throws `CAPABILITY_MISSING`. */
export function grantedServer(servers: GrantedServers, name: string): GrantedServer {
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server) return server;
  const names = Object.keys(servers).join(", ") || "none";
  throw new WorkflowError("CAPABILITY_MISSING", `The host grants no MCP server "${name}". It grants: ${names}.`, {
    details: { server: name },
  });
}

/** The names of the tools that workflows may call; nothing where they may call all. */
export function grantedTools({ tools }: GrantedServer): readonly string[] | undefined {
  return tools?.map((tool) => (typeof tool === "string" ? tool : tool.name));
}
