import { WebStandardStreamableHTTPServerTransport, type McpServerFactory } from "@modelcontextprotocol/server";

/** Sessions that are kept at the same time. The one that was used longest ago makes room; its client begins another. */
const MAX_SESSIONS = 100;
const HEADER = "mcp-session-id";

/**
 * The sessions of clients of 2025: only in one does a server know whether its client draws forms. They hold nothing of runs: a client whose session is gone, with the
 * process say, begins another and goes on.
 */
export class LegacySessions {
  readonly #factory: McpServerFactory;
  /** By id, the one used last at the end. */
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(factory: McpServerFactory) {
    this.#factory = factory;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get(HEADER);
    if (id === null) return this.#begin(request);
    const known = this.#transports.get(id);
    if (!known) {
      return Response.json(
        { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "This session is not known here. Begin another with initialize." } },
        { status: 404 },
      );
    }
    this.#transports.delete(id);
    this.#transports.set(id, known);
    return known.handleRequest(request);
  }

  /** Anything but `initialize` is refused by the transport, and leaves nothing behind. */
  async #begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: async (id) => {
        this.#transports.set(id, transport);
        await this.#makeRoom();
      },
      onsessionclosed: (id) => void this.#transports.delete(id),
    });
    const server = await this.#factory({ era: "legacy", requestInfo: request });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #makeRoom(): Promise<void> {
    for (const [id, transport] of this.#transports) {
      if (this.#transports.size <= MAX_SESSIONS) return;
      this.#transports.delete(id);
      await transport.close();
    }
  }

  async close(): Promise<void> {
    const open = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.all(open.map((transport) => transport.close()));
  }
}
