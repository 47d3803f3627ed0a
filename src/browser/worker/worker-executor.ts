import type { Executor } from "../../core/run/run.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import { ProxyExecutor } from "../proxy/proxy-executor.ts";
import type { WorkerEnd } from "./connection.ts";
import { WorkerCalls } from "./worker-calls.ts";
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

class PageExecutor extends ProxyExecutor implements WorkerExecutor {
  readonly #calls: WorkerCalls;

  constructor(calls: WorkerCalls) {
    super(calls);
    this.#calls = calls;
  }

  terminate(): void {
    this.#calls.terminate();
  }
}
