import { givenError, WorkflowError } from "../../core/model/errors.ts";
import { OPERATIONS, type OperationName } from "../protocol/operations.ts";
import { decodeWire, encodeWire } from "../protocol/wire-values.ts";

/** How a server is reached. */
export interface Connection {
  /** The address of the server, with the path under which it answers. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: () => HeadersInit | Promise<HeadersInit>;
}

/** One call of an operation. */
export interface CallRequest {
  readonly operation: OperationName;
  /** Its input, by the names of the members. Those that are `undefined` are left out. */
  readonly input: { readonly [member: string]: unknown };
  readonly signal: AbortSignal;
  /** Whether it may be sent again after no answer came. */
  readonly isRepeatable: boolean;
}

/** Pauses before a call is sent again, in milliseconds: long enough for a process that is started anew behind a balancer. */
const AGAIN_AFTER_MS = [200, 800];
/** What browsers send of a page that is left, in all of its requests. */
const MAX_KEEPALIVE_LENGTH = 50_000;
/** A server or proxy that may do later: 502, 503 or 504. */
const isUnavailable = ({ status }: Response): boolean => status > 501 && status < 505;

const NO_CONTENT = 204;

/** Calls an operation. Throws the error that the server answered, and `STORE_UNREACHABLE` if no answer came. */
export async function callOperation(connection: Connection, request: CallRequest): Promise<unknown> {
  for (const pause of AGAIN_AFTER_MS) {
    try {
      return await send(connection, request);
    } catch (error) {
      if (!request.isRepeatable || request.signal.aborted || !isUnreachable(error)) throw error;
      await beforeNext(pause, request.signal);
    }
  }
  return send(connection, request);
}

async function send(connection: Connection, request: CallRequest): Promise<unknown> {
  const response = await sendRequest(connection, request);
  if (response.status === NO_CONTENT) return undefined;
  let answer: unknown;
  try {
    answer = decodeWire(await response.json());
  } catch (cause) {
    // A page of a proxy, or an answer that was cut off.
    throw unreachable(connection.url, `answered with status ${response.status}, unreadably`, cause);
  }
  const { error: sent } = (answer ?? {}) as { readonly error?: unknown };
  if (response.ok || !sent) return answer;
  const error = readWireError(sent);
  throw isUnavailable(response) ? unreachable(connection.url, `says: ${error.message}`) : error;
}

/** Opens a stream of server-sent events; `lastId` is that of the last event there was. Throws as {@link callOperation} does. */
export async function openEvents(connection: Connection, request: Omit<CallRequest, "isRepeatable">, lastId?: string): Promise<Body> {
  const response = await sendRequest(connection, request, lastId);
  if (response.ok && response.body) return response as Body;
  const { error } = ((await response.json().catch(() => {})) ?? {}) as { readonly error?: unknown };
  if (error && !isUnavailable(response)) throw readWireError(error);
  throw unreachable(connection.url, `answered with status ${response.status}`);
}

/** A response with a body. */
export interface Body extends Response {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

async function sendRequest(
  { url, fetch, headers }: Connection,
  { operation, input, signal }: Omit<CallRequest, "isRepeatable">,
  lastId?: string,
): Promise<Response> {
  const { verb, path } = OPERATIONS[operation];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const body = verb === "GET" ? undefined : JSON.stringify(encodeWire(Object.fromEntries(rest)));
  const query = verb === "GET" ? queryOf(rest) : "";
  const sent = new Headers(await headers());
  if (body !== undefined) sent.set("content-type", "application/json");
  if (lastId !== undefined) sent.set("last-event-id", lastId);
  try {
    return await fetch(`${url.replace(/\/$/, "")}${address}${query}`, {
      method: verb,
      headers: sent,
      signal,
      ...(body !== undefined && { body }),
      // The last typed text is sent while the page is left.
      ...(operation === "run.saveDraft" && { keepalive: (body?.length ?? 0) < MAX_KEEPALIVE_LENGTH }),
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw unreachable(url, "cannot be reached", cause);
  }
}

function queryOf(input: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of input) {
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === "object" ? JSON.stringify(encodeWire(one)) : String(one));
  }
  return query.size === 0 ? "" : `?${query}`;
}

/** `STORE_UNREACHABLE`: no answer came, or none of the server's own. */
function unreachable(url: string, what: string, cause?: unknown): WorkflowError {
  return new WorkflowError(
    "STORE_UNREACHABLE",
    `The server at ${url} ${what}. The call may have got there: look at the run, then call again.`,
    { details: { url }, ...(cause !== undefined && { cause }) },
  );
}

export function isUnreachable(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "STORE_UNREACHABLE";
}

/** Waits, at most until the browser has a network again, or the signal aborts. */
export function beforeNext(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, signal.aborted ? 0 : ms);
    globalThis.addEventListener?.("online", end);
    signal.addEventListener("abort", end);
  });
}

/** Returns the error that a client throws for a server's answer. Reads only the members of errors, since the answer is not trusted. */
export function readWireError(sent: unknown): WorkflowError {
  const { code, message, details, ...place } = givenError(sent, "STORE_FAILED");
  return new WorkflowError(code, message, { place, ...(details && { details }) });
}
