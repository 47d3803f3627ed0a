import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { assertOptions } from "../../core/model/assert-options.ts";
import { hasToken } from "../../network/bearer.ts";
import { LegacySessions } from "./legacy-sessions.ts";
import { mcpServer, SERVER_OPTIONS, type McpServerOptions } from "./server.ts";

/** How a server is reached over HTTP. */
export interface McpHttpOptions extends McpServerOptions {
  /** What clients give as `Authorization: Bearer …`. Give one wherever others than you can reach the server. Default: none is asked for. */
  readonly token?: string;
  /** Names under which the server may be reached, without ports. Default: those of this machine alone. */
  readonly hosts?: readonly string[];
  /** Hosts of pages that may call it, without scheme and port. Programs, which send no `Origin`, may always. Default: pages of this machine. */
  readonly origins?: readonly string[];
}

/** A server of the Model Context Protocol as a function of requests. */
export interface McpHttp {
  /** Answers one request, on any path. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends what is under way. Runs go on. */
  close(): Promise<void>;
}

/**
 * Makes a handler for Streamable HTTP: the revision 2026-07-28, and those of 2025 with sessions. Requests for other hosts, from pages of other origins, and without
 * the token are refused before they are read. Throws what {@link mcpServer} throws.
 */
export function mcpHttp(options: McpHttpOptions): McpHttp {
  assertOptions("mcpHttp", options, { ...SERVER_OPTIONS, token: true, hosts: true, origins: true });
  const { token, hosts, origins, ...server } = options;
  return httpOf(mcpServer(server), { ...(token === undefined ? {} : { token }), ...(hosts && { hosts }), ...(origins && { origins }) });
}

/** The same for any server of the protocol. */
export function httpOf(
  factory: McpServerFactory,
  {
    token,
    hosts = localhostAllowedHostnames(),
    origins = localhostAllowedOrigins(),
  }: Pick<McpHttpOptions, "token" | "hosts" | "origins"> = {},
): McpHttp {
  const present = createMcpHandler(factory, { legacy: "reject" });
  const legacy = new LegacySessions(factory);
  return {
    async fetch(request) {
      const refused = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...origins]);
      if (refused) return refused;
      if (request.method === "OPTIONS") return forPage(request, new Response(undefined, { status: 204 }));
      const answer = await refuseWithout(token, request);
      return forPage(request, answer ?? (await ((await isLegacyRequest(request)) ? legacy : present).fetch(request)));
    },
    async close() {
      await Promise.all([present.close(), legacy.close()]);
    },
  };
}

/** Lets a page of another origin, which may call, read the answer: browsers ask first what it may send. */
function forPage({ method, headers: asked }: Request, response: Response): Response {
  const origin = asked.get("origin");
  if (origin === null) return response;
  const headers = new Headers(response.headers);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "origin");
  if (method === "OPTIONS") {
    headers.set("access-control-allow-methods", "GET, POST, DELETE");
    headers.set("access-control-allow-headers", asked.get("access-control-request-headers") ?? "");
  } else {
    headers.set("access-control-expose-headers", "mcp-session-id, www-authenticate");
  }
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}

async function refuseWithout(token: string | undefined, request: Request): Promise<Response | undefined> {
  if (token === undefined || (await hasToken(request, token))) return undefined;
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "This server wants its token: Authorization: Bearer …" } },
    { status: 401, headers: { "www-authenticate": "Bearer" } },
  );
}
