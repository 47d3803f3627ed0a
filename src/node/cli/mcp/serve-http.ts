import { once } from "node:events";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { mcpHttp, type McpHttpOptions } from "../../../mcp/index.ts";
import type { HttpPlace } from "../http-place.ts";
import { listen } from "../listen.ts";
import type { Serving } from "./serve.ts";

/** The path of the server on its host. */
const PATH = "/mcp";

/** Where a server listens. */
export interface ServingHttp extends Serving, Pick<HttpPlace, "address" | "port"> {
  /** Told of the address once the server answers. */
  onListening(url: string): void;
}

/** Serves clients over HTTP until the signal aborts. Throws `COMMAND_INVALID` if it cannot listen there. */
export async function serveOverHttp(options: McpHttpOptions, { address, port, signal, onError, onListening }: ServingHttp): Promise<void> {
  const http = mcpHttp(options);
  const handle = toNodeHandler(http, { onerror: onError });
  const { url, close } = await listen(
    (request, response) => {
      if (request.url?.split("?", 1)[0] === PATH) void handle(request as NodeIncomingMessageLike, response);
      else response.writeHead(404).end();
    },
    { address, port },
  );
  onListening(`${url}${PATH}`);
  try {
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await http.close();
    await close();
  }
}
