import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the service saw it. */
export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real service on a free port of this machine. */
export interface Service {
  /** Such as `127.0.0.1:40123`. */
  readonly host: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/** Starts one that gives every request, once it has come in whole, to `answer`. */
export async function startService(answer: (seen: Seen, response: ServerResponse) => void): Promise<Service> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    // Clients that were refused more hang up; that is what is tried here.
    response.on("error", () => {});
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const { method, url, headers } = request;
      const one = { method, url, headers, body };
      seen.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
