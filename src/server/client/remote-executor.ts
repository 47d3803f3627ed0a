import type { Executor } from "../../core/run/run.ts";
import { assertOptions } from "../../core/model/assert-options.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { OutputEvent } from "../../core/ports/observer.ts";
import { ProxyExecutor } from "../../browser/proxy/proxy-executor.ts";
import { HttpCalls } from "./http-calls.ts";

/** Names and values. */
interface RequestHeaders {
  readonly [name: string]: string;
}

/** How a page reaches its server. */
export interface RemoteExecutorOptions {
  /** Headers of every request, such as `authorization`. A function is called before each request. Default: none. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Told of what blocks of the runs write that are subscribed to, as it comes: the text of a language model, for example. */
  readonly onOutput?: (event: OutputEvent) => void;
}

/**
 * Returns the executor behind a server, for pages: elements and bindings use it like a local one. `url` is the address of the server's handler. A run with
 * subscribers follows a stream of the server, and opens it again when it breaks. While the server cannot be reached, calls throw `STORE_UNREACHABLE` (after a
 * second try, if they may be repeated), and views of runs with subscribers have that `error`. Throws `STORE_ADDRESS_INVALID` if `url` is neither a text nor a
 * `URL`.
 */
export function remoteExecutor(url: string | URL, options: RemoteExecutorOptions = {}): Executor {
  if (typeof url !== "string" && !("href" in Object(url)))
    throw new WorkflowError("STORE_ADDRESS_INVALID", "Give the address of a server: remoteExecutor(url, { headers }).");
  assertOptions("remoteExecutor", options, { headers: true, fetch: true, onOutput: true });
  const { headers = {}, fetch = (...request) => globalThis.fetch(...request), onOutput } = options;
  const connection = { url: String(url), fetch, headers: typeof headers === "function" ? headers : () => headers };
  return new ProxyExecutor(new HttpCalls(connection, onOutput));
}
