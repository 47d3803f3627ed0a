import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { WorkflowError } from "../../../index.ts";
import { builtFolder } from "../own-package.ts";
import type { DevSession, EngineChannel } from "./dev-session.ts";

/** Allows only the page's own code and styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Bytes that a page may send at once: an answer with its files. */
const MAX_BODY_BYTES = 100 * 2 ** 20;

const FILES: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ["/", ["index.html", "text/html; charset=utf-8"]],
  ["/page.js", ["page.js", "text/javascript; charset=utf-8"]],
  ["/page.css", ["page.css", "text/css; charset=utf-8"]],
]);

/** The server of a page on the loopback interface. */
export interface DevServer {
  readonly address: string;
  /** Tells the pages that the file has changed. */
  tellChanged(): void;
  close(): Promise<void>;
}

/** Serves the page of a session. Requests of other hosts' pages are refused. Throws `COMMAND_INVALID` for a port that is taken. */
export async function serveSession(session: DevSession, port: number): Promise<DevServer> {
  const pages = new Map<string, { readonly response: ServerResponse; readonly channel: EngineChannel }>();
  let hosts: ReadonlySet<string> = new Set();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await listen(server, port);
  const taken = (server.address() as AddressInfo).port;
  hosts = new Set([`127.0.0.1:${taken}`, `localhost:${taken}`]);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = "", origin } = request.headers;
    // The name of another host may lead here, and another page may send here.
    if (!hosts.has(host) || (origin !== undefined && origin !== `http://${host}`)) {
      response.writeHead(403).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "/", `http://${host}`);
    const page = searchParams.get("page") ?? "";
    const file = FILES.get(pathname);
    if (request.method === "GET" && file) sendFile(response, ...file);
    else if (request.method === "GET" && pathname === "/workflow") sendJson(response, session.shown());
    else if (request.method === "GET" && pathname === "/events") openEvents(response, page);
    else if (request.method === "POST" && pathname === "/run") {
      const { run } = JSON.parse(await readBody(request)) as { readonly run?: string };
      sendJson(response, await session.openRun(run));
    } else if (request.method === "POST" && pathname === "/messages") {
      pages.get(page)?.channel.take(await readBody(request));
      response.writeHead(204).end();
    } else response.writeHead(404).end();
  }

  function openEvents(response: ServerResponse, page: string): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write("\n");
    const channel = session.connect((text) => response.write(`event: engine\ndata: ${text}\n\n`));
    pages.set(page, { response, channel });
    response.on("close", () => {
      channel.end();
      pages.delete(page);
    });
  }

  return {
    address: `http://127.0.0.1:${taken}/`,
    tellChanged() {
      for (const { response } of pages.values()) response.write("event: changed\ndata:\n\n");
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    throw new WorkflowError(
      "COMMAND_INVALID",
      `The port ${port} cannot be used: ${(error as Error).message}. Name another one with --port.`,
      {
        cause: error,
      },
    );
  }
}

function sendFile(response: ServerResponse, name: string, type: string): void {
  response.writeHead(200, { "content-type": type, "content-security-policy": POLICY, "cache-control": "no-store" });
  response.end(readFileSync(join(builtFolder("dev"), name)));
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`A page may send ${MAX_BODY_BYTES} bytes at once.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
