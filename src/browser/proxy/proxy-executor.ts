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
import { startOrOpen } from "../../core/model/start-or-open.ts";
import type { ProxyRun, RunCalls } from "./proxy-run.ts";

/** The calls of a page to an executor elsewhere. */
export interface ExecutorCalls extends RunCalls {
  /** Calls the listener soon after runs changed; see `runs.watch`. */
  watch(listener: (run?: string) => void): () => void;
  close(): Promise<void>;
}

/** An executor elsewhere, as a page holds it. */
export class ProxyExecutor implements Executor {
  readonly #calls: ExecutorCalls;

  constructor(calls: ExecutorCalls) {
    this.#calls = calls;
  }

  load(workflow: Workflow): Promise<void> {
    return this.#calls.call("load", [workflow]);
  }

  start(workflow: Workflow | string, inputs?: Values, { ifExists, ...options }: StartOptions = {}): Promise<ProxyRun> {
    if (ifExists === "resume") {
      const { id, signal } = options;
      const open = (run: string) => this.open(run, signal ? { signal } : {});
      return startOrOpen({ workflow, id, open, start: () => this.start(workflow, inputs, options) });
    }
    return this.#calls.call("start", [workflow, inputs], { options, isOnce: true, drives: true });
  }

  open(run: string, options?: WaitOptions): Promise<ProxyRun> {
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

  fork(checkpoint: string, options?: ForkOptions): Promise<ProxyRun> {
    return this.#calls.call("fork", [checkpoint, options], { isOnce: true, drives: true });
  }

  cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    return this.#calls.call("cleanup", [options], { isOnce: true });
  }

  recover(options?: RecoverOptions): Promise<Recovery> {
    return this.#calls.call("recover", [], { options });
  }

  runSchedules(options?: WaitOptions): Promise<void> {
    return this.#calls.call("runSchedules", [], { options });
  }

  metrics(): Promise<StoreMetrics> {
    return this.#calls.call("metrics", []);
  }

  readonly runs: Executor["runs"] = {
    list: (query?: RunListQuery) => this.#calls.call("list", [query], { of: "runs" }),
    tree: (run: string) => this.#calls.call("tree", [run], { of: "runs" }),
    export: (run: string, options?: ExportOptions) => this.#calls.call("export", [run, options], { of: "runs" }),
    import: (file: string, options?: ImportOptions) => this.#calls.call<ProxyRun>("import", [file, options], { of: "runs" }),
    checkImport: (file: string, options?: ImportOptions) => this.#calls.call("checkImport", [file, options], { of: "runs" }),
    transfer: (run: string, options: TransferOptions) => this.#calls.call("transfer", [run, options], { of: "runs" }),
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
}
