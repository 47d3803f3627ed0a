import { isWorkflowError, WorkflowError } from "../core/model/errors.ts";
import { findHeaderProblem } from "../core/model/http-header.ts";
import { MAX_RESPONSE_BYTES } from "../core/model/limits.ts";
import type { HttpRequest, HttpResponse, Network } from "../core/ports/network.ts";
import { checkAddress } from "./address.ts";
import { readHostRules, type HostRule } from "./host-rule.ts";
import { decodeBody, readBody } from "./read-body.ts";
import { hiddenRedirect, isRedirect, redirectRequest, type Sent } from "./redirect.ts";

/** Redirects that one request follows. */
const MAX_REDIRECTS = 5;

/**
 * Requests to the hosts named, with the platform's `fetch`, in a page, a worker and Node. `api.example.com` is one host by https on its own
 * port, `api.example.com:8443` on another; `*.example.com` is every host below, not `example.com` itself. `http://…` grants plain http,
 * which hosts of this machine (`localhost`, `127.0.0.1`, `[::1]`) have without it. An address is only granted where it is named as it is;
 * where a name leads is the name service's word. Nothing that the page keeps for a host (cookies, stored passwords) is sent along. Throws
 * `HOST_INVALID` for anything else than such a name.
 */
export function allowHosts(hosts: readonly string[]): Network {
  const rules = hosts.flatMap(readHostRules);
  return { request: (request) => withinTime(request, (signal) => send(request, { rules, signal })) };
}

async function send(request: HttpRequest, { rules, signal }: { rules: readonly HostRule[]; signal: AbortSignal }): Promise<HttpResponse> {
  const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of headers) {
    const problem = findHeaderProblem(name, value);
    if (problem) throw new WorkflowError("BLOCK_INPUT_INVALID", problem);
  }
  let sent: Sent = { url: checkAddress(request.url, rules), method: request.method, headers, body: request.body };
  for (let redirects = 0; ; redirects++) {
    const response = await ask(sent, signal);
    const { origin } = sent.url;
    if (response.type === "opaqueredirect") throw hiddenRedirect(origin);
    if (!request.followRedirects || !isRedirect(response)) return read(response, sent.url, request.maxBytes);
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) {
      throw new WorkflowError("HTTP_FAILED", `${origin} redirects for the ${MAX_REDIRECTS + 1}th time. Write the final address.`);
    }
    sent = redirectRequest(sent, response, checkAddress(response.headers.get("location")!, rules, sent.url));
  }
}

function ask({ url, method, headers, body }: Sent, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method,
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
    signal,
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
  });
}

async function read(response: Response, url: URL, maxBytes = MAX_RESPONSE_BYTES): Promise<HttpResponse> {
  const body = await readBody(response, Math.min(maxBytes, MAX_RESPONSE_BYTES), url.origin);
  const text = decodeBody(body, response.headers.get("content-type") ?? undefined);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    ...(text === undefined ? {} : { text }),
    url: url.href,
  };
}

/** Does the work until it is done, the time is up or the request is called off. The time covers redirects and the body. */
async function withinTime<T>({ method, timeoutMs, signal, url }: HttpRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(timedOut(method, url, timeoutMs)), timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    controller.signal.throwIfAborted();
    return await work(controller.signal);
  } catch (thrown) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw isWorkflowError(thrown) ? thrown : unanswered(method, url, thrown);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}

function timedOut(method: string, url: string, timeoutMs: number): WorkflowError {
  return new WorkflowError(
    "BLOCK_TIMEOUT",
    `${method} ${new URL(url).origin} took longer than ${timeoutMs / 1_000} s, the body included. Give it a longer timeout, or retry.`,
    { details: { timeout_ms: timeoutMs } },
  );
}

/** The platform's own words are left to the cause: they may repeat the address. */
function unanswered(method: string, url: string, cause: unknown): WorkflowError {
  const code = reasonCode(cause);
  return new WorkflowError(
    "HTTP_FAILED",
    `${method} ${new URL(url).origin} got no whole answer${code ? ` (${code})` : ""}. Look whether the service can be reached, in a browser also whether it allows requests of this page (CORS, connect-src); then retry.`,
    { ...(code ? { details: { reason: code } } : {}), cause },
  );
}

/** Such as `ECONNREFUSED`, where the platform has such codes. */
function reasonCode(thrown: unknown): string | undefined {
  const { cause } = thrown instanceof Error ? thrown : {};
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? code : undefined;
}
