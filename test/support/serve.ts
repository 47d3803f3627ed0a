import { fileURLToPath } from "node:url";
import { createServer, type Plugin } from "vite";

/** A server for pages in tests, on the loopback interface and a free port. */
export interface PageServer {
  /** Such as `http://127.0.0.1:40123`: the demo is at `/`, the page of the test at `/test-page`. */
  readonly origin: string;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = "virtual:test-page-script";
const PAGE = `<!doctype html><title>test</title><script type="module" src="/@id/${SCRIPT}"></script>`;

function testPage(script: string, headers: Readonly<Record<string, string>>): Plugin {
  return {
    name: "test-page",
    resolveId: (id) => (id === SCRIPT ? `${ROOT}test/support/test-page-script.js` : undefined),
    load: (id) => (id === `${ROOT}test/support/test-page-script.js` ? script : undefined),
    configureServer(server) {
      server.middlewares.use("/test-page", (_request, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8");
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        response.end(PAGE);
      });
    },
  };
}

/**
 * Serves the sources, the demo and one page of the test's own. The script of that page is a module: it may import the
 * package by its public names and should put what the test calls on `globalThis`, since the test runner rewrites `import()`
 * inside functions handed to `page.evaluate`.
 */
export async function servePages(
  script: string,
  options: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<PageServer> {
  const server = await createServer({
    root: ROOT,
    logLevel: "error",
    // A bundle of the configuration would say on the console that a slow machine is slow.
    configLoader: "runner",
    // Only what the configuration names is bundled beforehand: a later find would reload the page under test.
    optimizeDeps: { noDiscovery: true },
    // Apart from the cache of the test runner's own server, which may be at work at the same time.
    cacheDir: `${ROOT}node_modules/.cache/wavepoint-pages`,
    server: { host: "127.0.0.1", port: 0, hmr: false, ws: false, watch: null },
    plugins: [testPage(script, options.headers ?? {})],
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (typeof address !== "object" || address === null) throw new Error("The server for test pages has no port.");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
