import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtFolder } from "./own-package.ts";
import type { HttpPlace } from "./http-place.ts";

/** The path of the dashboard, below the address of the server. */
export const DASHBOARD_PATH = "/ui/";

/** Allows only the page's own code and styles, and no frame of another page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FILES: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ["", ["index.html", "text/html; charset=utf-8"]],
  ["page.js", ["page.js", "text/javascript; charset=utf-8"]],
]);

type Handle = (request: Request) => Promise<Response>;

/**
 * Answers requests for the dashboard, and passes on all others. The files hold no data of runs, so they need no token; the page requests its data from the
 * server.
 */
export function withDashboard(handle: Handle, { token, hosts }: Pick<HttpPlace, "token" | "hosts">): Handle {
  return async (request) => {
    const { pathname, hostname } = new URL(request.url);
    if (request.method !== "GET" || !hosts.includes(hostname)) return handle(request);
    if (pathname === "/" || `${pathname}/` === DASHBOARD_PATH)
      return new Response(null, { status: 302, headers: { location: DASHBOARD_PATH } });
    if (!pathname.startsWith(DASHBOARD_PATH)) return handle(request);
    const name = pathname.slice(DASHBOARD_PATH.length);
    if (name === "config.json") return Response.json({ token: token !== undefined }, { headers: { "cache-control": "no-store" } });
    const file = FILES.get(name);
    return file ? sendFile(...file) : handle(request);
  };
}

async function sendFile(name: string, type: string): Promise<Response> {
  return new Response(await readFile(join(builtFolder("dashboard"), name)), {
    headers: {
      "content-type": type,
      "content-security-policy": POLICY,
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
