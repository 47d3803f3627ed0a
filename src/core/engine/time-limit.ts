import { WorkflowError } from "../model/errors.ts";
import type { Step } from "./step.ts";

/**
 * Runs one execution of a block with its own signal, which is aborted when the time is up or the run's is. A block that does not heed it is
 * no longer listened to. Rejects with `BLOCK_TIMEOUT`.
 */
export async function withTimeLimit<T>(step: Step, timeoutMs: number, execute: () => T | Promise<T>): Promise<T> {
  const { host, signal } = step.around;
  const work = host.newAbortController();
  const clock = host.newAbortController();
  const stop = (): void => work.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  step.limitBy(work.signal);
  const timeUp = async (): Promise<never> => {
    await host.sleep(timeoutMs, clock.signal);
    const error = new WorkflowError(
      "BLOCK_TIMEOUT",
      `Block "${step.block}" took longer than its timeout of ${timeoutMs} ms. Give it more time, or a retry.`,
      { details: { timeoutMs } },
    );
    work.abort(error);
    throw error;
  };
  try {
    return await Promise.race([(async () => execute())(), timeUp()]);
  } finally {
    signal.removeEventListener("abort", stop);
    clock.abort();
  }
}
