import { expect, onTestFinished } from "vitest";
import * as z from "zod/mini";
import type { Executor } from "wavepoint";
import { remoteExecutor, type RemoteExecutorOptions } from "wavepoint/remote";
import { DEFINITIONS } from "../../src/server/operations/definitions.ts";
import { findRoute, type Route } from "../../src/server/router.ts";
import { serve, type Right, type Served, type ServeOptions } from "wavepoint/server";

export const ADDRESS = "http://server.test";
export const ALL_RIGHTS: readonly Right[] = ["read", "start", "answer", "manage", "transfer", "load", "admin"];

export interface Remote {
  readonly client: Executor;
  readonly served: Served;
  /** The network between the two, which a test may cut: requests fail, and streams break. */
  readonly network: { isCut: boolean; served: Served; cut(): void };
}

/** An executor behind a server, without a socket between the two. */
export function overServer(executor: Executor, options: Partial<ServeOptions> = {}, clientOptions: RemoteExecutorOptions = {}): Remote {
  const served = serve({ executor, authorize: () => true, allow: ALL_RIGHTS, ...options });
  const breaks = new Set<AbortController>();
  const network = {
    isCut: false,
    served,
    cut() {
      network.isCut = true;
      for (const one of breaks) one.abort();
    },
  };
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (network.isCut) throw new TypeError("Failed to fetch");
    const broken = new AbortController();
    breaks.add(broken);
    init.signal?.addEventListener("abort", () => broken.abort());
    const request = new Request(url, { ...init, keepalive: false, signal: broken.signal });
    const response = await network.served.fetch(request);
    await assertDescribed(request, response.clone());
    return abortable(response, broken.signal);
  };
  const client = remoteExecutor(ADDRESS, { fetch, ...clientOptions });
  onTestFinished(async () => {
    await client.close();
    served.close();
  });
  return { client, served, network };
}

/** Bodies end with their connection. */
function abortable(response: Response, signal: AbortSignal): Response {
  if (!response.body) return response;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  response.body.pipeTo(writable, { signal }).catch(() => {});
  return new Response(readable, response);
}

/** What a server answers is as its schemas say, to the last member. */
async function assertDescribed({ method, url }: Request, response: Response): Promise<void> {
  if (!response.ok || response.status === 204 || !response.headers.get("content-type")?.includes("json")) return;
  const { operation } = findRoute(method, new URL(url).pathname) as Route;
  const body: unknown = await response.json();
  expect({ [operation]: z.parse(DEFINITIONS[operation].output, body) }).toEqual({ [operation]: body });
}
