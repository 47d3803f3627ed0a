import { WorkflowError } from "../model/errors.ts";
import type { AbortSignalLike, Host } from "../ports/host.ts";
import type { StepContext } from "./step-context.ts";

/** Milliseconds that a block gets to end after its time is up, so that two attempts do not run at the same time. */
const GRACE_MS = 5_000;

/**
 * Runs one execution of a block with a signal of its own. The signal is aborted when the time is up, when that of the run is, or when a revision stops the
 * block. A block that ignores it is abandoned after a grace period. Rejects with `BLOCK_TIMEOUT`, even if the block still gives a result then. `idle`:
 * the remaining time does not keep the process alive.
 */
export async function withTimeLimit<T>(
  step: StepContext,
  timeoutMs: number,
  execute: () => T | Promise<T>,
  options?: { readonly idle: boolean },
): Promise<T> {
  const { host } = step;
  const work = step.takeController();
  let over: WorkflowError | undefined;
  try {
    const result = await againstClock(host, execute, {
      signal: step.place.signal,
      async timeUp(sleep) {
        await sleep(timeoutMs, options);
        over = new WorkflowError(
          "BLOCK_TIMEOUT",
          `Block "${step.block}" took longer than its timeout of ${timeoutMs} ms. Give it more time, or a retry.`,
          { details: { timeoutMs } },
        );
        work.abort(over);
        await sleep(GRACE_MS);
        throw over;
      },
    });
    if (!over) return result;
  } catch (error) {
    throw over ?? error;
  }
  throw over;
}

interface Clock {
  /** Sleeps as long as the work may take, and throws then. Its sleeps end with the work. */
  readonly timeUp: (sleep: (ms: number, options?: { readonly idle: boolean }) => Promise<void>) => Promise<never>;
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignalLike;
}

/** Gives the result of the work, unless its time is up first: then the work is left to itself. */
export async function againstClock<T>(host: Host, work: () => T | Promise<T>, { timeUp, signal }: Clock): Promise<T> {
  const clock = host.newAbortController();
  const stop = (): void => clock.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([(async () => work())(), timeUp((ms, options) => host.sleep(ms, clock.signal, options))]);
  } finally {
    signal?.removeEventListener("abort", stop);
    clock.abort();
  }
}
