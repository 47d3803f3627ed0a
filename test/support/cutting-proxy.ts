import { createConnection, createServer, type Server, type Socket } from "node:net";

/** Stands between a client and a server of this machine, and cuts connections. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Lets the next request through and cuts the connection before the client hears of it. Connections that it makes meanwhile are kept waiting until `between` is
   * done.
   */
  cutBehindNextRequest(between?: () => Promise<void>): void;
  cuts(): number;
  stop(): void;
}

/** Starts one. */
export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  let cutting: { readonly between: () => Promise<void> } | undefined;
  let isOpen = Promise.resolve();
  let cuts = 0;
  const sockets = new Set<Socket>();
  const proxy: Server = createServer(async (client) => {
    sockets.add(client);
    client.on("error", () => {});
    await isOpen;
    const upstream = createConnection(to, "127.0.0.1");
    sockets.add(upstream);
    upstream.on("error", () => {});
    client.on("close", () => upstream.destroy());
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => {
      if (!cutting) return void client.write(data);
      // The server has done it; its word is lost.
      isOpen = cutting.between();
      cutting = undefined;
      cuts += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as { port: number }).port,
    cutBehindNextRequest: (between = async () => {}) => void (cutting = { between }),
    cuts: () => cuts,
    stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
