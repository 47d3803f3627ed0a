import { errorData, isWorkflowError, WorkflowError } from "../../core/model/errors.ts";
import type { Recovery } from "../../core/model/maintenance.ts";
import type { RunResult } from "../../core/model/result.ts";
import { applyPatch, type ViewPatch } from "../../core/model/view-patch.ts";
import type { RunView } from "../../core/model/view.ts";
import type { OutputEvent } from "../../core/ports/observer.ts";
import { whileWaiting } from "../../core/runner/runner.ts";
import type { ExecutorCalls } from "../../browser/proxy/proxy-executor.ts";
import type { CallRules, ProxyRun } from "../../browser/proxy/proxy-run.ts";
import { OPERATIONS, type OperationName, type RunReply } from "../protocol/operations.ts";
import { decodeWire } from "../protocol/wire-values.ts";
import { followEvents } from "./event-loop.ts";
import { HeldRuns } from "./held-runs.ts";
import { readWireError, beforeNext, callOperation, isUnreachable, type Connection } from "./requests.ts";

/** Calls of a page to an executor behind a server. */
export class HttpCalls implements ExecutorCalls {
  readonly #connection: Connection;
  readonly #onOutput: ((event: OutputEvent) => void) | undefined;
  readonly #runs = new HeldRuns(this);
  readonly #following = new Map<ProxyRun, AbortController>();
  readonly #watchers = new Set<(run?: string) => void>();
  #watching: AbortController | undefined;
  /** Ends all open requests. */
  readonly #endings = new Set<AbortController>();
  #isClosed = false;

  constructor(connection: Connection, onOutput: ((event: OutputEvent) => void) | undefined) {
    this.#connection = connection;
    this.#onOutput = onOutput;
  }

  call<T>(method: string, args: readonly unknown[], rules: CallRules = {}): Promise<T> {
    const { signal, ...options } = rules.options ?? {};
    const ending = this.#newEnding();
    const operation = operationOf(method, rules);
    const input = inputOf(operation, rules.run ? [rules.run.id, ...args] : args, options);
    const request = { operation, input, isRepeatable: !rules.isOnce, signal: ending.signal };
    const reply = input["watch"] === true ? (this.#recoverAgain(request) as Promise<T>) : this.#request<T>(request);
    const waiting = whileWaiting(signal, reply);
    // The request ends with the waiting for it.
    waiting.catch(() => {}).finally(() => this.#end(ending));
    return waiting;
  }

  async #request<T>(request: Parameters<typeof callOperation>[1]): Promise<T> {
    this.#assertOpen();
    if (OPERATIONS[request.operation].answers === "events") return (await this.#hold(request)) as T;
    try {
      const answer = await callOperation(this.#connection, request);
      const { answers } = OPERATIONS[request.operation];
      if (answers === "value") return answer as T;
      const { view, version, result } = answer as RunReply;
      const run = this.#runs.hold(view as RunView, version);
      if (answers === "run") return run as T;
      // The server answers before its proxies lose patience.
      if ((result as { readonly status?: string } | undefined)?.status !== "running") return result as T;
      return await this.#request({ ...request, operation: "run.settled", input: { run: (result as RunResult).run }, isRepeatable: true });
    } catch (error) {
      this.#assertOpen();
      throw error;
    }
  }

  /** A call that lasts as long as its stream: until the caller aborts, or the operation fails. */
  async #hold(request: Parameters<typeof callOperation>[1]): Promise<void> {
    await followEvents(this.#connection, request, {
      onEvent: ({ event, data }) => {
        if (event === "failed") throw readWireError(JSON.parse(data));
      },
      // A connection that broke is opened again.
      onLost: (error) => {
        if (isWorkflowError(error) && !isUnreachable(error)) throw error;
      },
    });
  }

  /** A server that should look again and again by itself does so without a client: here it is asked again and again, until this executor is closed. */
  async #recoverAgain(request: Parameters<typeof callOperation>[1]): Promise<Recovery> {
    const { input, signal } = request;
    let found: Recovery = { runs: [], failed: [] };
    while (!signal.aborted) {
      try {
        const { runs, failed } = await this.#request<Recovery>({ ...request, input: {} });
        found = { runs: [...found.runs, ...runs], failed };
      } catch (error) {
        if (!signal.aborted && !isUnreachable(error)) throw error;
      }
      await beforeNext((input["everyMs"] as number | undefined) ?? RECOVER_MS, signal);
    }
    return found;
  }

  #newEnding(): AbortController {
    const ending = new AbortController();
    this.#endings.add(ending);
    return ending;
  }

  #end(ending: AbortController | undefined): void {
    if (!ending) return;
    ending.abort();
    this.#endings.delete(ending);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new WorkflowError("STORE_CLOSED", "This executor was closed. Create another one.");
  }

  listen(run: ProxyRun, isListening: boolean): void {
    this.#end(this.#following.get(run));
    this.#following.delete(run);
    if (!isListening || this.#isClosed) return;
    const ending = this.#newEnding();
    this.#following.set(run, ending);
    let view: RunView | undefined;
    let version = "";
    void followEvents(
      this.#connection,
      { operation: "run.subscribe", input: { run: run.id }, signal: ending.signal },
      {
        onEvent: ({ event, data }) => {
          const told = decodeWire(JSON.parse(data)) as ToldView & OutputEvent;
          // An error of a listener breaks no stream.
          if (event === "output") queueMicrotask(() => this.#onOutput?.({ ...told, type: "output", run: run.id }));
          if (event !== "view" && event !== "patch") return;
          view = told.patch ? (applyPatch(view, told.patch) as RunView) : told.view!;
          version = told.version;
          this.#runs.show(run, view, version);
        },
        // If nothing has changed since, listeners are not called.
        onOpened: () => view && this.#runs.show(run, view, version),
        onLost: (error) => run.show({ ...run.getSnapshot(), error: errorData(error, "STORE_UNREACHABLE") }),
      },
    );
  }

  watch(listener: (run?: string) => void): () => void {
    const own = (run?: string): void => listener(run);
    this.#watchers.add(own);
    if (!this.#watching && !this.#isClosed) this.#watchRuns();
    return () => {
      this.#watchers.delete(own);
      if (this.#watchers.size > 0) return;
      this.#end(this.#watching);
      this.#watching = undefined;
    };
  }

  #watchRuns(): void {
    this.#watching = this.#newEnding();
    const tell = ({ run }: { readonly run?: string }): void => this.#watchers.forEach((watcher) => watcher(run));
    const request = { operation: "runs.watch", input: {}, signal: this.#watching.signal } as const;
    void followEvents(this.#connection, request, {
      onEvent: ({ data }) => tell(JSON.parse(data) as Parameters<typeof tell>[0]),
      // What changed while there was no connection is not known.
      onOpened: (isAgain) => isAgain && tell({}),
      onLost: () => {},
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endings.forEach((ending) => this.#end(ending));
    this.#following.clear();
    this.#watchers.clear();
  }
}

/** Milliseconds between two looks for runs that a dead process left, as those of an executor. */
const RECOVER_MS = 10_000;

/** A view as the stream of a run tells it: as a whole, or what changed since the one before. */
interface ToldView {
  readonly version: string;
  readonly view?: RunView;
  readonly patch?: ViewPatch;
}

/** Calls on an executor that take a run are those of the run. */
function operationOf(method: string, { run, of }: CallRules): OperationName {
  if (method === "refresh") return "executor.open";
  const name = `${of ?? (run ? "run" : "executor")}.${method}`;
  return (Object.hasOwn(OPERATIONS, name) ? name : `run.${method}`) as OperationName;
}

function inputOf(operation: OperationName, args: readonly unknown[], options: object): { readonly [member: string]: unknown } {
  const members = OPERATIONS[operation].args.map((name, i) => (name === "..." ? args[i] : { [name]: args[i] }) as object | undefined);
  return Object.assign({}, ...members, options) as { readonly [member: string]: unknown };
}
