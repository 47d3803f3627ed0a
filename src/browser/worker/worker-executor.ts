import type {
  CheckpointListQuery,
  CleanupOptions,
  Executor,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  RecoverOptions,
  ResumeOptions,
  RunListQuery,
  SignalOptions,
  StartOptions,
  TransferOptions,
  WaitOptions,
} from "../../core/run/run.ts";
import type { CleanupReport, Recovery, StoreMetrics } from "../../core/model/maintenance.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Answer } from "../../core/model/file-value.ts";
import type { Value, Values } from "../../core/model/value.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import type { WorkerEnd } from "./connection.ts";
import { WorkerCalls } from "./worker-calls.ts";
import type { WorkerRun } from "./worker-run.ts";
import { assertOptions } from "../../core/model/assert-options.ts";

/** How a page listens to the executor in its worker. */
export interface WorkerExecutorOptions {
  /** Told of what the executor in the worker tells {@link ServedExecutor.onEvent}, a moment later. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** An executor whose runs live in a worker. */
export interface WorkerExecutor extends Executor {
  /** Ends the worker, in the middle of its work, as a crash would. The next call makes another one, as do runs that the page holds. */
  terminate(): void;
}

/**
 * The executor that a worker serves by `serveExecutor`, for its page. The worker is made by the first call, and made anew when it has ended:
 * runs that the page holds continue there. Calls that can be repeated without harm are repeated; other calls that were on their way throw
 * `WORKER_LOST`, as all do where the worker cannot be started.
 */
export function workerExecutor(makeWorker: () => WorkerEnd, options: WorkerExecutorOptions = {}): WorkerExecutor {
  assertOptions("workerExecutor", options, { onEvent: true });
  return new PageExecutor(new WorkerCalls(makeWorker, options.onEvent));
}

class PageExecutor implements WorkerExecutor {
  readonly #calls: WorkerCalls;

  constructor(calls: WorkerCalls) {
    this.#calls = calls;
  }

  async load(workflow: Workflow): Promise<void> {
    await this.#calls.call("load", [workflow]);
    this.#calls.loaded.set(workflow.name, workflow);
  }

  async start(workflow: Workflow | string, inputs?: Values, options?: StartOptions): Promise<WorkerRun> {
    const run = await this.#calls.call<WorkerRun>("start", [workflow, inputs], { options, isOnce: true, drives: true });
    if (typeof workflow !== "string") this.#calls.loaded.set(workflow.name, workflow);
    return run;
  }

  open(run: string, options?: WaitOptions): Promise<WorkerRun> {
    return this.#calls.call("open", [run], { options });
  }

  resume(checkpoint: string, response?: Value, options?: ResumeOptions): Promise<RunResult> {
    return this.#calls.call("resume", [checkpoint, response], { options, isOnce: true });
  }

  answer(pause: string, response: Value, options?: WaitOptions): Promise<RunResult> {
    return this.#calls.call("answer", [pause, response], { options });
  }

  signal(run: string, name: string, value?: Answer, options?: SignalOptions): Promise<void> {
    return this.#calls.call("signal", [run, name, value], { options, isOnce: options?.id === undefined });
  }

  stop(run: string): Promise<RunResult> {
    return this.#calls.call("stop", [run]);
  }

  fork(checkpoint: string, options?: ForkOptions): Promise<WorkerRun> {
    return this.#calls.call("fork", [checkpoint, options], { isOnce: true, drives: true });
  }

  cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    return this.#calls.call("cleanup", [options], { isOnce: true });
  }

  recover(options?: RecoverOptions): Promise<Recovery> {
    return this.#calls.call("recover", [], { options });
  }

  metrics(): Promise<StoreMetrics> {
    return this.#calls.call("metrics", []);
  }

  readonly runs: Executor["runs"] = {
    list: (query?: RunListQuery) => this.#calls.call("list", [query], { of: "runs" }),
    tree: (run: string) => this.#calls.call("tree", [run], { of: "runs" }),
    export: (run: string, options?: ExportOptions) => this.#calls.call("export", [run, options], { of: "runs" }),
    import: (file: string, options?: ImportOptions) => this.#calls.call<WorkerRun>("import", [file, options], { of: "runs", isOnce: true }),
    transfer: (run: string, options: TransferOptions) => this.#calls.call("transfer", [run, options], { of: "runs", isOnce: true }),
    delete: (run: string) => this.#calls.call("delete", [run], { of: "runs", isOnce: true }),
    watch: (listener: (run?: string) => void) => this.#calls.watch(listener),
  };

  readonly checkpoints: Executor["checkpoints"] = {
    list: (query?: CheckpointListQuery) => this.#calls.call("list", [query], { of: "checkpoints" }),
    get: (checkpoint: string) => this.#calls.call("get", [checkpoint], { of: "checkpoints" }),
    diff: (from: string, to: string) => this.#calls.call("diff", [from, to], { of: "checkpoints" }),
    trim: (maxPerWorkflow: number) => this.#calls.call("trim", [maxPerWorkflow], { of: "checkpoints", isOnce: true }),
    delete: (checkpoint: string) => this.#calls.call("delete", [checkpoint], { of: "checkpoints", isOnce: true }),
  };

  close(): Promise<void> {
    return this.#calls.close();
  }

  terminate(): void {
    this.#calls.terminate();
  }
}
