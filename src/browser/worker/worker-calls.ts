import { whileWaiting } from "../../core/runner/runner.ts";
import { errorData, WorkflowError } from "../../core/model/errors.ts";
import type { RunView } from "../../core/model/view.ts";
import { applyPatch, freezeDeep } from "../../core/model/view-patch.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import { Connection, type WorkerEnd } from "./connection.ts";
import { lostError, unpackThrown } from "./thrown-errors.ts";
import type { Call, ToPage } from "./messages.ts";
import { moveBytes } from "./structured-clone.ts";
import type { ExecutorCalls } from "../proxy/proxy-executor.ts";
import { ProxyRun, type CallRules } from "../proxy/proxy-run.ts";

/** How often in a row a worker that ended is replaced by itself, and how long it must have lived to count anew. */
const MAX_DEATHS = 3;
const LIFE_MS = 30_000;
/** How long closing waits for the worker: a block may keep it busy forever, a database may never open. */
const CLOSE_MS = 10_000;
/**
 * How long a worker that is closed lives on. Nothing is written any more, but transactions may be about to end, and WebKit never ends
 * those of a worker that is gone. Their database could not be deleted, or opened in another form, until the browser is restarted.
 */
const LAST_MOMENT_MS = 1_000;

interface Pending extends CallRules {
  readonly call: Call;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A run that the page may still hold. */
interface Held {
  readonly run: WeakRef<ProxyRun>;
  readonly connection: Connection;
  /** How often this connection gave it. */
  count: number;
}

/** Calls to a worker that is made when it is needed, and made anew when it has ended. */
export class WorkerCalls implements ExecutorCalls {
  /** Runs with listeners stay, even if the page does not hold them otherwise. */
  readonly #listening = new Set<ProxyRun>();
  /** What the page itself loaded: the next worker does not know it. */
  readonly #loaded = new Map<string, Workflow>();
  readonly #watchers = new Set<(run?: string) => void>();
  readonly #makeWorker: () => WorkerEnd;
  readonly #onEvent: ((event: RunEvent) => void) | undefined;
  readonly #pending = new Map<number, Pending>();
  readonly #held = new Map<string, Held>();
  readonly #forgotten = new FinalizationRegistry<readonly [id: string, Held]>(([id, held]) => {
    if (this.#held.get(id) === held) this.#held.delete(id);
    held.connection.post({ drop: id, count: held.count });
  });
  #connection: Connection | undefined;
  #lastCall = 0;
  #deaths = 0;
  #diedAt = 0;
  #isClosed = false;

  constructor(makeWorker: () => WorkerEnd, onEvent: ((event: RunEvent) => void) | undefined) {
    this.#makeWorker = makeWorker;
    this.#onEvent = onEvent;
  }

  call<T>(method: string, args: readonly unknown[], rules: CallRules = {}): Promise<T> {
    const { run, of, options } = rules;
    const { signal, ...rest } = options ?? {};
    const id = ++this.#lastCall;
    const reply = new Promise<T>((resolve, reject) => {
      if (this.#isClosed) throw closedError();
      const call = { call: id, run: run?.id, of, method, args: options ? [...args, rest] : args, signal: signal !== undefined };
      if (!this.#connection) this.#connect();
      const pending = { ...rules, call, resolve, reject };
      this.#pending.set(id, pending);
      this.#send(pending);
    });
    // The caller gets the error of one that fails.
    if (method === "load" || method === "start") reply.then(() => this.#rememberLoaded(args[0] as Workflow | string)).catch(() => {});
    const waiting = whileWaiting(signal, reply);
    // What is still on its way when the waiting ends was aborted.
    if (signal) waiting.catch(() => this.#pending.has(id) && this.#connection?.post({ abort: id }));
    return waiting;
  }

  #rememberLoaded(workflow: Workflow | string): void {
    if (typeof workflow !== "string") this.#loaded.set(workflow.name, workflow);
  }

  listen(run: ProxyRun, isListening: boolean): void {
    if (isListening) this.#listening.add(run);
    else this.#listening.delete(run);
  }

  watch(listener: (run?: string) => void): () => void {
    const own = (run?: string): void => listener(run);
    this.#watchers.add(own);
    this.#connection?.post({ say: "watch" });
    return () => {
      this.#watchers.delete(own);
      if (this.#watchers.size === 0) this.#connection?.post({ say: "unwatch" });
    };
  }

  terminate(): void {
    this.#connection?.end();
    if (this.#connection) this.#lose(lostError(true), true);
  }

  async close(): Promise<void> {
    const closing = this.#connection && this.call<void>("close", [], { isOnce: true });
    this.#isClosed = true;
    let isDone = false;
    try {
      isDone = await within(CLOSE_MS, closing);
    } finally {
      this.#connection?.end(isDone ? LAST_MOMENT_MS : 0);
      this.#connection = undefined;
      this.#rejectAll(closedError(), () => true);
    }
  }

  #connect(): void {
    const connection = new Connection(this.#newWorker(), {
      onMessage: (message) => this.#hear(connection, message),
      onLost: (cause, wasReady) => this.#lose(lostError(wasReady, cause), wasReady && this.#mayGoOn()),
    });
    this.#connection = connection;
    const unanswered = [...this.#pending.values()];
    if (this.#onEvent) connection.post({ say: "events" });
    if (this.#watchers.size > 0) connection.post({ say: "watch" });
    for (const workflow of this.#loaded.values()) void this.#callAside("load", [workflow]).catch(() => {});
    for (const run of this.#runs()) void this.#reopen(run);
    for (const pending of unanswered) this.#send(pending);
  }

  #newWorker(): WorkerEnd {
    try {
      return this.#makeWorker();
    } catch (error) {
      throw lostError(false, error);
    }
  }

  #lose(error: WorkflowError, goesOn: boolean): void {
    this.#connection = undefined;
    this.#rejectAll(error, ({ isOnce }) => !goesOn || isOnce === true);
    const runs = this.#runs();
    for (const run of runs) {
      const view = run.getSnapshot();
      if (view.active) run.show({ ...view, active: false, ...(goesOn ? {} : { error: error.toJSON() }) });
      // Else a run that ends each worker would end the next one too.
      run.isEngaged &&= goesOn;
    }
    if (!goesOn || runs.length + this.#pending.size + this.#watchers.size === 0) return;
    try {
      this.#connect();
      // Watchers were not notified of changes meanwhile.
      for (const watcher of this.#watchers) watcher();
    } catch (thrown) {
      this.#lose(thrown as WorkflowError, false);
    }
  }

  #mayGoOn(): boolean {
    const now = performance.now();
    this.#deaths = now - this.#diedAt < LIFE_MS ? this.#deaths + 1 : 1;
    this.#diedAt = now;
    return this.#deaths < MAX_DEATHS && !this.#isClosed;
  }

  #rejectAll(error: WorkflowError, isMeant: (pending: Pending) => boolean): void {
    for (const [id, pending] of this.#pending) {
      if (!isMeant(pending)) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
  }

  /** Calls to the new worker that have no caller to wait for them fail together with it. */
  #callAside(method: string, args: readonly unknown[], run?: ProxyRun): Promise<unknown> {
    const reply = this.call(method, args, { isOnce: true, ...(run ? { run } : {}) });
    reply.catch(() => {});
    return reply;
  }

  /** A run that the page looks at goes on in the new worker, if it did in the one before. */
  async #reopen(run: ProxyRun): Promise<void> {
    try {
      await this.#callAside("open", [run.id]);
      if (run.isEngaged && run.getSnapshot().status === "running") await this.#callAside("resume", [], run);
    } catch (error) {
      // Told of a lost worker already.
      const data = errorData(error, "WORKER_LOST");
      if (data.code !== "WORKER_LOST") run.show({ ...run.getSnapshot(), active: false, error: data });
    }
  }

  #send({ call, reject }: Pending): void {
    try {
      const moved: Transferable[] = [];
      this.#connection!.post({ ...call, args: moveBytes(call.args, moved) as readonly unknown[] }, moved);
    } catch (cause) {
      this.#pending.delete(call.call);
      const message = `What was given to "${call.method}" cannot go to the worker: functions and objects of your own classes cannot.`;
      reject(new WorkflowError("VALUE_UNSERIALIZABLE", message, { cause }));
    }
  }

  #hear(connection: Connection, { done, value, view, thrown, news = [], events = [], changed = [] }: ToPage): void {
    if (done === undefined) connection.post({ say: "taken" });
    for (const [id, patch] of news) {
      const run = this.#held.get(id)?.run.deref();
      run?.show(applyPatch(run.getSnapshot(), patch) as RunView);
    }
    const pending = this.#pending.get(done!);
    this.#pending.delete(done!);
    if (thrown) pending?.reject(unpackThrown(thrown));
    else pending?.resolve((view ? this.#hold(connection, view, pending) : value) as never);
    for (const run of changed) for (const watcher of this.#watchers) watcher(run);
    for (const event of events) this.#onEvent?.(event);
  }

  #hold(connection: Connection, view: RunView, { drives }: Pending): ProxyRun {
    const known = this.#held.get(view.id);
    const living = known?.run.deref();
    const run = living ?? new ProxyRun(this, freezeDeep(view));
    run.isEngaged ||= drives === true;
    if (known && living && known.connection === connection) {
      // Its news have said it all.
      known.count++;
      return run;
    }
    run.show(freezeDeep(view));
    const held = { run: new WeakRef(run), connection, count: 1 };
    this.#held.set(run.id, held);
    this.#forgotten.register(run, [run.id, held]);
    return run;
  }

  /** The runs that the page holds. */
  #runs(): readonly ProxyRun[] {
    return [...this.#held.values()].flatMap(({ run }) => run.deref() ?? []);
  }
}

/** Whether a promise is settled in time; rejects as it does. */
async function within(ms: number, promise: Promise<void> | undefined): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  return Promise.race([late, promise?.then(() => true) ?? true]).finally(() => clearTimeout(timer));
}

function closedError(): WorkflowError {
  return new WorkflowError("STORE_CLOSED", "This executor was closed. Create another one.");
}
