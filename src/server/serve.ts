import { assertOptions } from "../core/model/assert-options.ts";
import { errorData, isHostError, isWorkflowError, WorkflowError, type ErrorData } from "../core/model/errors.ts";
import type { RunResult } from "../core/model/result.ts";
import type { RunView } from "../core/model/view.ts";
import type { RunEvent } from "../core/ports/observer.ts";
import type { Executor, Run } from "../core/run/run.ts";
import { Access, runOf, type AccessOptions, type Asked, type Caller, type Named } from "./access.ts";
import { eventStream } from "./event-stream.ts";
import { Health, HEALTH_PATH } from "./health.ts";
import { isAboutPause, problemOfPause, resultOfPause, viewOfPause } from "./link-view.ts";
import type { LinkOptions } from "./links.ts";
import type { Call, Moved } from "./operations/definition.ts";
import { DEFINITIONS } from "./operations/definitions.ts";
import { OutputTexts } from "./output-texts.ts";
import { OPERATIONS, type OperationName, type Right, type RunReply } from "./protocol/operations.ts";
import type { Link } from "./protocol/link.ts";
import { statusOf } from "./status-of.ts";
import { encodeWire } from "./protocol/wire-values.ts";
import { readInput } from "./read-input.ts";
import { findRoute, type Route } from "./router.ts";
import { runEvents, ViewVersions } from "./run-events.ts";

/** Options of a server: what it serves, and to whom. */
export interface ServeOptions extends AccessOptions {
  readonly executor: Executor;
  /** The path of the server, such as `/wavepoint`. Default: none. */
  readonly basePath?: string;
  /** Bytes that the body of a request may have. Default: 16,777,216 (16 MB), which a file of 10 MB fits into. */
  readonly maxBodyBytes?: number;
  /** Told of failures of the server: clients see their code alone. Default: they are kept from view. */
  readonly onError?: (error: unknown, request: Request) => void;
}

/** A server as a function of requests. */
export interface Served {
  /** Answers one request. `GET /health` needs no right: it says whether the store answers, with status 200 or 503, and nothing else. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Makes the token of a link to one question or to a whole run, for people without any other right. Put it behind the `#` of your page's address, where no
   * server and no log sees it, and pass it to `remoteExecutor` as `authorization: Bearer …`. Throws `REQUEST_INVALID` if `serve` has no `linkKey`.
   */
  readonly link: (of: LinkOptions) => Promise<string>;
  /** Passes on what blocks write: `createExecutor({ onEvent: (event) => served.onEvent(event) })`. Without it clients see no text before its step ends. */
  readonly onEvent: (event: RunEvent) => void;
  /** Ends streams and waiting requests, and refuses later ones. Runs continue, and the executor stays open. */
  close(): void;
}

/** Runs that wait to be named to one client. */
const MAX_CHANGED = 1_000;
const MAX_BODY_BYTES = 16_777_216;
/** How long an answer waits until nothing of a run executes, in milliseconds: less than proxies wait. */
const WAIT_MS = 20_000;
const MAX_WAIT_SECONDS = 60;
const SECOND_MS = 1_000;

/**
 * Makes a server for an executor, for any framework that has `Request` and `Response`. Clients may do what `allow` names, and of that what `authorize`
 * and the token let them. Throws `REQUEST_INVALID` if neither a token nor `authorize` is given.
 */
export function serve(options: ServeOptions): Served {
  assertOptions("serve", options, {
    executor: true,
    basePath: true,
    maxBodyBytes: true,
    onError: true,
    authorize: true,
    token: true,
    linkKey: true,
    allow: true,
    hosts: true,
    origins: true,
  });
  const server = new Server(options);
  return {
    fetch: (request) => server.answer(request),
    link: (of) => server.access.links.make(of),
    onEvent: (event) => server.texts.onEvent(event),
    close: () => server.close(),
  };
}

class Server {
  readonly texts = new OutputTexts();
  readonly #options: ServeOptions;
  readonly access: Access;
  readonly #health: Health;
  readonly #versions = new ViewVersions();
  /** Ends all open requests. */
  readonly #endings = new Set<AbortController>();
  #isClosed = false;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.access = new Access(options);
    this.#health = new Health(options.executor);
  }

  close(): void {
    this.#isClosed = true;
    for (const ending of this.#endings) ending.abort();
  }

  async answer(request: Request): Promise<Response> {
    const response = await this.#answer(request);
    for (const [name, value] of Object.entries(this.access.corsHeaders(request))) response.headers.set(name, value);
    return response;
  }

  async #answer(request: Request): Promise<Response> {
    try {
      if (this.#isClosed) return closing();
      if (this.#pathOf(request) === HEALTH_PATH && request.method === "GET") return await this.#sayHealth();
      if (!this.access.isFromAllowedPlace(request)) {
        return refuse(403, "ACCESS_DENIED", "Requests from this page, or over this name of the server, are not taken.");
      }
      const route = this.#routeOf(request);
      if (route instanceof Response) return route;
      const caller = await this.access.callerOf(request);
      if (!caller) {
        const response = refuse(401, "ACCESS_DENIED", "This server wants its token: Authorization: Bearer …");
        response.headers.set("www-authenticate", "Bearer");
        return response;
      }
      return await this.#perform(request, route, caller);
    } catch (error) {
      return this.#failed(error, request);
    }
  }

  /** Returns the part behind the base path; nothing for any other address. */
  #pathOf(request: Request): string | undefined {
    const { pathname } = new URL(request.url);
    const { basePath = "" } = this.#options;
    const base = basePath.endsWith("/") ? basePath.slice(0, -1) : basePath;
    return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
  }

  /** Balancers ask by an address, without a token: this is all that they learn. */
  async #sayHealth(): Promise<Response> {
    return (await this.#health.isWell()) ? reply({ status: "ok" }) : reply({ status: "unavailable" }, 503);
  }

  #routeOf(request: Request): Route | Response {
    const path = this.#pathOf(request);
    const found = path === undefined ? undefined : findRoute(request.method, path);
    if (!found) return refuse(404, "REQUEST_INVALID", "There is nothing at this address. See /openapi.json.");
    if (!isVerbs(found)) return found;
    if (request.method === "OPTIONS") return preflight(found, request);
    const response = refuse(405, "REQUEST_INVALID", `This address takes ${found.join(", ")}.`);
    response.headers.set("allow", found.join(", "));
    return response;
  }

  async #perform(request: Request, { operation, parameters }: Route, { link }: Caller): Promise<Response> {
    const { executor, maxBodyBytes: maxBytes = MAX_BODY_BYTES } = this.#options;
    const { right, answers } = OPERATIONS[operation];
    const definition = DEFINITIONS[operation];
    const input = (await readInput(request, operation, { parameters, maxBytes })) as Named & { readonly workflow?: unknown };
    const { workflow } = input;
    const run = runOf(input);
    const about = { ...(run !== undefined && { run }), ...(typeof workflow === "string" && { workflow }) };
    const may = async (needed: Right, of: Pick<Asked, "run" | "workflow">): Promise<boolean> =>
      link
        ? this.access.allowsLinks(needed) && (await isWithin(executor, of.run, link))
        : this.access.allows(request, { operation, right: needed, ...of, view: () => viewOf(executor, of.run) });
    const needs = [{ right, ...about }, ...(definition.needs?.(input as never) ?? []).map((need) => ({ ...about, ...need }))];
    for (const { right: needed, ...of } of needs) {
      const asked = { ...of, ...(of.run !== undefined && { run: runOf({ run: of.run })! }) };
      if (!(await may(needed, asked)))
        return refuse(403, "ACCESS_DENIED", `This request may not do that: ${operation} needs the right "${needed}".`);
    }

    // A link makes no other link, which could be valid for longer.
    const isBeyondLink = link && (operation === "server.link" || (link.pause !== undefined && !isAboutPause(operation, input, link)));
    if (isBeyondLink) return refuse(403, "ACCESS_DENIED", "This link is for something else.");

    const ending = this.#newEnding(request);
    const shown = shownTo(link);
    const call: Call = {
      executor,
      signal: ending.signal,
      link: (of) => this.access.links.make(of),
      may: (needed, of) => may(needed, of === undefined ? {} : { run: runOf({ run: of })! }),
      mayRead: (of, name) => may("read", { run: of, ...(name !== undefined && { workflow: name }) }),
    };
    // A stream outlives its response: it ends when its client leaves, or the server is closed.
    if (answers === "events") return this.#stream(operation, request, { call, run: input.run, shown });
    try {
      const answer = await definition.handle(call, input as never);
      if (answers === "value") return answer === undefined ? new Response(null, { status: 204 }) : reply(encodeWire(answer));
      if (answers === "run") return reply(encodeWire(this.#replyOf(answer as Run, shown)));
      return await this.#moved(request, answer as Moved, { call, shown });
    } catch (error) {
      throw shown.problem(error);
    } finally {
      this.#endings.delete(ending);
    }
  }

  #newEnding(request: Request): AbortController {
    const ending = new AbortController();
    this.#endings.add(ending);
    request.signal.addEventListener(
      "abort",
      () => {
        ending.abort();
        this.#endings.delete(ending);
      },
      { once: true },
    );
    return ending;
  }

  #replyOf(run: Run, shown: Shown): RunReply {
    const view = shown.view(run.getSnapshot());
    return { view, version: this.#versions.of(view) };
  }

  async #moved(
    request: Request,
    { run, result: coming }: Moved,
    { call, shown }: { readonly call: Call; readonly shown: Shown },
  ): Promise<Response> {
    const came = await within(waitOf(request), coming, call.signal);
    // The result may be about the run that called this one, which the caller may not be allowed to see.
    const isOther = came?.run !== undefined && came.run !== run && (await call.mayRead(came.run));
    const moved = await this.#options.executor.open(isOther ? came.run : run);
    const answer = this.#replyOf(moved, shown);
    if (came === undefined) return reply(encodeWire(answer));
    if (came.status === "running") return reply(encodeWire({ ...answer, result: { status: "running", run: moved.id } }), 202);
    const result = shown.result(came);
    // The cause of an error stays on the server.
    const { cause: _, ...error } = result.error ?? {};
    const isRefused = result.status === "failure" && result.metadata === undefined;
    return reply(
      encodeWire({ ...answer, result: { ...result, ...(result.error && { error }) } }),
      isRefused ? statusOf(result.error.code) : 200,
    );
  }

  async #stream(
    operation: OperationName,
    request: Request,
    { call, run, shown }: { readonly call: Call; readonly run: string | undefined; readonly shown: Shown },
  ): Promise<Response> {
    const { executor, signal } = call;
    if (operation === "runs.watch") return this.#streamChanges(request, call);
    if (operation === "executor.runSchedules") {
      return eventStream(signal, (sender) => {
        const ending = new AbortController();
        executor.runSchedules({ signal: ending.signal }).catch((error: unknown) => {
          if (!ending.signal.aborted) sender.send("failed", errorData(error, "STORE_FAILED"));
        });
        return { end: () => ending.abort() };
      });
    }
    const opened = await executor.open(run!);
    const lastId = request.headers.get("last-event-id") ?? undefined;
    const texts = shown.hasTexts ? this.texts : new OutputTexts();
    return runEvents(opened, { versions: this.#versions, texts, view: shown.view, lastId, signal });
  }

  /**
   * Streams which runs changed: each is named once, however often it changed before the client could take more. A client that falls too far behind is asked
   * to read all again.
   */
  #streamChanges(request: Request, { executor, signal, mayRead }: Call): Response {
    return eventStream(signal, (sender) => {
      const changed = new Set<string | undefined>();
      const send = (): void => {
        for (const run of changed) {
          if (!sender.isReady) return;
          changed.delete(run);
          sender.send("changed", { run });
        }
      };
      const tell = async (run: string | undefined): Promise<void> => {
        if (changed.has(undefined) || changed.has(run) || (run !== undefined && !(await mayRead(run)))) return;
        const isTooMuch = changed.size >= MAX_CHANGED;
        if (run === undefined || isTooMuch) changed.clear();
        changed.add(isTooMuch ? undefined : run);
        send();
      };
      // No caller waits for this: a client that is not notified reads again when it connects again.
      const end = executor.runs.watch((run) => void tell(run).catch((error: unknown) => this.#options.onError?.(error, request)));
      return { end, onReady: send };
    });
  }

  #failed(error: unknown, request: Request): Response {
    const data = errorData(error, "STORE_FAILED");
    if (this.#isClosed && data.code === "ABORTED") return closing();
    const status = isWorkflowError(error) ? statusOf(data.code) : 500;
    if (status < 500) return reply({ error: data }, status);
    this.#options.onError?.(error, request);
    return refuse(status, data.code, "The server could not do this. Its log says why.");
  }
}

/** The part of runs that a caller may see. */
interface Shown {
  readonly view: (view: RunView) => RunView;
  readonly result: (result: RunResult) => RunResult;
  readonly problem: (thrown: unknown) => unknown;
  /** Whether the texts that blocks write are shown too. */
  readonly hasTexts: boolean;
}

function shownTo(link: Link | undefined): Shown {
  const pause = link?.pause;
  if (pause === undefined) return { view: (view) => view, result: (result) => result, problem: (thrown) => thrown, hasTexts: true };
  return {
    view: (view) => viewOfPause(view, pause),
    result: (result) => resultOfPause(result, pause),
    problem: (thrown) => (isHostError(thrown) || !isWorkflowError(thrown) ? thrown : problemOfPause(thrown)),
    hasTexts: false,
  };
}

/** Whether a run is the one of a link, or was called by it. */
async function isWithin(executor: Executor, run: string | undefined, link: Link): Promise<boolean> {
  if (run === undefined || run === link.run) return run !== undefined;
  return isWithin(executor, (await viewOf(executor, run))?.parent?.run, link);
}

const isVerbs = (found: Route | readonly string[]): found is readonly string[] => Array.isArray(found);

const STILL_RUNNING = { status: "running", run: undefined, error: undefined } as const;

/** Resolves with the result of a promise, unless it takes too long. */
async function within(
  ms: number,
  result: Promise<RunResult | void>,
  signal: AbortSignal,
): Promise<RunResult | void | typeof STILL_RUNNING> {
  let end = (): void => {};
  const late = new Promise<typeof STILL_RUNNING>((resolve) => {
    const timer = setTimeout((end = () => resolve(STILL_RUNNING)), ms);
    signal.addEventListener("abort", end, { once: true });
    result.finally(() => clearTimeout(timer)).catch(() => {});
  });
  try {
    return await Promise.race([late, result]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** How long the client wants to wait (RFC 7240): `Prefer: wait=5`. */
function waitOf(request: Request): number {
  const [, seconds] = /(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])/i.exec(request.headers.get("prefer") ?? "") ?? [];
  return seconds === undefined ? WAIT_MS : Math.min(Number(seconds), MAX_WAIT_SECONDS) * SECOND_MS;
}

async function viewOf(executor: Executor, run: string | undefined): ReturnType<Asked["view"]> {
  if (run === undefined) return undefined;
  try {
    return (await executor.open(run)).getSnapshot();
  } catch (error) {
    if (isWorkflowError(error) && (error.code === "RUN_NOT_FOUND" || error.code === "STORE_KEY_INVALID")) return undefined;
    throw error;
  }
}

function preflight(verbs: readonly string[], request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": verbs.join(", "),
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
      "access-control-max-age": "600",
    },
  });
}

function closing(): Response {
  return refuse(503, "STORE_CLOSED", "This server is being closed. Call again in a moment.");
}

function refuse(status: number, code: ErrorData["code"], message: string): Response {
  return reply({ error: new WorkflowError(code, message).toJSON() }, status);
}

function reply(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } });
}
