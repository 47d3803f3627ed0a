import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { WorkflowError } from "../../index.ts";
import type { HttpPlace } from "./http-place.ts";

/** How long open requests may take to end once a server is closed. */
const GRACE_MS = 2_000;

/** A server that listens. */
export interface Listening {
  /** Its address, without a path. */
  readonly url: string;
  /** Takes no more connections, and waits a moment for open requests. */
  close(): Promise<void>;
}

/** Lets a server listen. Throws `COMMAND_INVALID` if it cannot listen there. */
export async function listen(listener: RequestListener, { address, port }: Pick<HttpPlace, "address" | "port">): Promise<Listening> {
  const server = createServer((request, response) => {
    // A connection that was busy when the server closed would stay open for more requests.
    response.once("close", () => server.listening || server.closeIdleConnections());
    listener(request, response);
  }).listen(port, address);
  try {
    await once(server, "listening");
  } catch (error) {
    const message = `Nothing can listen on ${address}, port ${port}: ${(error as Error).message}.`;
    throw new WorkflowError("COMMAND_INVALID", message, { cause: error });
  }
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}
