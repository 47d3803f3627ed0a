import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { ROOT } from "../package/source-files.ts";
import type { Testimony } from "./witness.ts";

/** Pages as they are shipped, and a witness that they tell what they do. */
export interface BuiltPages {
  /** Such as `http://127.0.0.1:40123`. The page of an entry `wizard` is at `/wizard`. */
  readonly origin: string;
  /** What was posted to `/witness`, in the order it arrived. */
  readonly lines: readonly Testimony[];
  /** Paths of the scripts that were asked for. */
  readonly scripts: readonly string[];
  close(): Promise<void>;
}

export interface BuiltPagesOptions {
  /** Modules by name. */
  readonly entries: Readonly<Record<string, string | URL>>;
  /** Files served as they are, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".mjs": "text/javascript" };

/** Builds modules with all that they load, in production form, and serves a page for each. */
export async function serveBuiltPages({ entries, files = {}, headers = {} }: BuiltPagesOptions): Promise<BuiltPages> {
  const contents = new Map([...Object.entries(files), ...(await bundle(entries))]);
  const lines: Testimony[] = [];
  const scripts: string[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "/").slice(1);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (path === "witness") {
      lines.push(JSON.parse(await readBody(request)) as Testimony);
      response.writeHead(204).end();
      return;
    }
    const type = TYPES[posix.extname(path)];
    const content = type === undefined ? pageOf(path, entries) : contents.get(path);
    if (type !== undefined) scripts.push(path);
    response.writeHead(content === undefined ? 404 : 200, { "content-type": type ?? "text/html; charset=utf-8" }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    scripts,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function pageOf(path: string, entries: BuiltPagesOptions["entries"]): string | undefined {
  if (!Object.hasOwn(entries, path)) return undefined;
  return `<!doctype html><meta charset="utf-8"><title>${path}</title><script type="module" src="/${path}.js"></script>`;
}

/** What was built, by its entries: the files that a process tests one after another share it. */
const bundles = new Map<string, Promise<readonly [string, string][]>>();

function bundle(entries: BuiltPagesOptions["entries"]): Promise<readonly [string, string][]> {
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, entry instanceof URL ? fileURLToPath(entry) : entry]),
  );
  const key = JSON.stringify(input);
  const built = bundles.get(key) ?? buildAll(input);
  bundles.set(key, built);
  return built;
}

async function buildAll(input: Readonly<Record<string, string>>): Promise<readonly [string, string][]> {
  const result = await build({
    root: ROOT,
    configFile: false,
    mode: "production",
    logLevel: "error",
    resolve: { conditions: ["wavepoint:source", "module", "browser", "production"] },
    define: { "process.env.NODE_ENV": '"production"' },
    worker: { format: "es" },
    // What the bundler wraps around dynamic imports is its own, not the package's.
    plugins: [
      {
        name: "plain-imports",
        load: (id) => (id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : undefined),
      },
    ],
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: {
        input,
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "[name].js" },
        // Says that a slow machine is slow.
        checks: { pluginTimings: false },
      },
    },
  });
  if (Array.isArray(result) || !("output" in result)) throw new Error("The bundler gave something else than one bundle.");
  return result.output.map((part) => [part.fileName, part.type === "chunk" ? part.code : String(part.source)]);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}
