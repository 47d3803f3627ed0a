import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

/** Files behind an address, as any web space serves them. */
interface FolderServer {
  readonly origin: string;
  stop(): Promise<void>;
  /** Serves again, at the same address. */
  start(): Promise<void>;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".wasm", "application/wasm"],
  [".webmanifest", "application/manifest+json"],
]);

/** Serves a folder below a path, on the loopback interface and a free port. */
export async function serveFolder(folder: string, base: string): Promise<FolderServer> {
  let server: Server | undefined;
  let port = 0;
  await start();
  return { origin: `http://127.0.0.1:${port}`, start, stop };

  async function start(): Promise<void> {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const path = pathname.startsWith(base) ? normalize(decodeURIComponent(pathname.slice(base.length))) : "..";
      if (path.startsWith("..")) return void response.writeHead(404).end();
      const file = path === "." || path.endsWith("/") ? join(path, "index.html") : path;
      readFile(join(folder, file)).then(
        (bytes) => response.writeHead(200, { "content-type": TYPES.get(extname(file)) ?? "application/octet-stream" }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  }

  async function stop(): Promise<void> {
    if (!server?.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
}
