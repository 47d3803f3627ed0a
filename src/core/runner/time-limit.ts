import { WorkflowError } from "../model/errors.ts";
import type { StepContext } from "./step-context.ts";

/** Milliseconds that a block gets to come to its end after its time is up, so that two attempts of it do not run at the same time. */
const GRACE_MS = 5_000;

/**
 * Runs one execution of a block with its own signal, which is aborted when the time is up, the run's is, or a revision asks it to stop. A block that ignores it is
 * given up after a grace period. Rejects with `BLOCK_TIMEOUT`, even if the block still gives a result then.
 */
export async function withTimeLimit<T>(step: StepContext, timeoutMs: number, execute: () => T | Promise<T>): Promise<T> {
  const { host } = step;
  const { signal } = step.place;
  const work = step.takeController();
  const clock = host.newAbortController();
  const stop = (): void => clock.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  let over: WorkflowError | undefined;
  const timeUp = async (): Promise<never> => {
    await host.sleep(timeoutMs, clock.signal);
    over = new WorkflowError(
      "BLOCK_TIMEOUT",
      `Block "${step.block}" took longer than its timeout of ${timeoutMs} ms. Give it more time, or a retry.`,
      { details: { timeoutMs } },
    );
    work.abort(over);
    await host.sleep(GRACE_MS, clock.signal);
    throw over;
  };
  try {
    const result = await Promise.race([(async () => execute())(), timeUp()]);
    if (!over) return result;
  } catch (error) {
    throw over ?? error;
  } finally {
    signal.removeEventListener("abort", stop);
    clock.abort();
  }
  throw over;
}
