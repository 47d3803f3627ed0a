// @ts-check
// A folder behind an address, as any web space serves it: the built demo, for tests and for measuring.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const TYPES = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".webmanifest", "application/manifest+json"],
  [".png", "image/png"],
]);
const NOT_COMPRESSED = new Set([".png"]);

/**
 * @typedef {object} FolderServer
 * @property {string} origin
 * @property {() => Promise<void>} stop refuses every connection from now on.
 * @property {() => Promise<void>} start serves again, at the same address.
 */

/**
 * Serves a folder below a path, on the loopback interface.
 * @param {string} folder
 * @param {string} base such as `/a/path/`
 * @param {number} [wanted] its port; 0 is a free one, which another program may have got where this one serves again. Default: 0.
 * @returns {Promise<FolderServer>}
 */
export async function serveFolder(folder, base, wanted = 0) {
  const compress = promisify(gzip);
  let port = wanted;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = pathname.startsWith(base) ? normalize(decodeURIComponent(pathname.slice(base.length))) : "..";
    const file = path === "." || path.endsWith("/") ? join(path, "index.html") : path;
    const bytes = file.startsWith("..") ? undefined : await readFile(join(folder, file)).catch(() => undefined);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const headers = { "content-type": TYPES.get(extname(file)) ?? "application/octet-stream" };
    if (NOT_COMPRESSED.has(extname(file))) response.writeHead(200, headers).end(bytes);
    else response.writeHead(200, { ...headers, "content-encoding": "gzip" }).end(await compress(bytes));
  });
  const start = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address !== null && typeof address === "object") ({ port } = address);
  };
  await start();
  return {
    origin: `http://127.0.0.1:${port}`,
    start,
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
