import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { posix } from "node:path";
import { build } from "vite";
import { vi } from "vitest";
import { ROOT } from "../package/source-files.ts";

/** Pages as they are shipped. */
export interface BuiltApps {
  /** Such as `http://127.0.0.1:40123`. The page of `examples/react/index.html` is at `/examples/react/`. */
  readonly origin: string;
  close(): Promise<void>;
}

export interface BuiltAppsOptions {
  /** Folders with an index.html, from the folder with package.json on. */
  readonly folders: readonly string[];
  readonly policy: string;
}

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8" };

/** Builds pages in production form, all at once, and serves them under a content security policy. */
export async function serveBuiltApps({ folders, policy }: BuiltAppsOptions): Promise<BuiltApps> {
  const files = await bundle(folders);
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").slice(1).replace(/\/$/, "/index.html");
    const content = files.get(path);
    response.setHeader("content-security-policy", policy);
    response.writeHead(content === undefined ? (path === "favicon.ico" ? 204 : 404) : 200, {
      "content-type": TYPES[posix.extname(path)] ?? "application/octet-stream",
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function bundle(folders: readonly string[]): Promise<ReadonlyMap<string, string | Uint8Array>> {
  // Frameworks are built for production only where the environment says so too.
  vi.stubEnv("NODE_ENV", "production");
  const result = await build({
    root: ROOT,
    configFile: false,
    mode: "production",
    logLevel: "error",
    resolve: { conditions: ["wavepoint:source", "module", "browser", "production"] },
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("wavepoint-") } } }),
      svelte({ configFile: false }),
    ],
    build: {
      write: false,
      target: "es2023",
      assetsInlineLimit: 0,
      rolldownOptions: { input: folders.map((folder) => `${ROOT}${folder}/index.html`) },
    },
  }).finally(() => vi.unstubAllEnvs());
  if (Array.isArray(result) || !("output" in result)) throw new Error("The bundler gave something else than one bundle.");
  return new Map(result.output.map((part) => [part.fileName, part.type === "chunk" ? part.code : part.source]));
}
