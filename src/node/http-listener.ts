import { Readable } from "node:stream";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What Node's server calls for each request. */
export type HttpListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Makes what `http.createServer` and Express take out of a function from `Request` to `Response`. The signal of a request aborts when its client is gone.
 * A failure of the function is answered with status 500.
 */
export function httpListener(handle: (request: Request) => Promise<Response>): HttpListener {
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    void answer(handle, { incoming, outgoing, signal: gone.signal });
  };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly signal: AbortSignal;
}

async function answer(handle: (request: Request) => Promise<Response>, { incoming, outgoing, signal }: Exchange): Promise<void> {
  try {
    const { status, headers, body } = await handle(requestOf(incoming, signal));
    outgoing.writeHead(status, Object.fromEntries(headers));
    if (!body) return void outgoing.end();
    for await (const chunk of Readable.fromWeb(body as never, { signal })) {
      if (!outgoing.write(chunk)) await drained(outgoing, signal);
    }
    outgoing.end();
  } catch {
    // Who called may be gone. Else it sees that the answer is not whole: what went wrong inside, the function tells its owner.
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  }
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", headers, url = "/" } = incoming;
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((one): [string, string] => [name, one]),
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`${scheme}://${headers.host ?? "localhost"}${pathOf(url)}`, {
    method,
    headers: sent,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
  } as RequestInit);
}

/** Path and query of a request. What begins with two slashes is no address of another host, as it would be in a page. */
function pathOf(url: string): string {
  if (url.startsWith("/")) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    outgoing.once("drain", () => {
      signal.removeEventListener("abort", end);
      resolve();
    });
  });
}
