import { WorkflowError } from "../model/errors.ts";
import type { AbortSignalLike, Host } from "../ports/host.ts";

/** Waits for a promise until the signal aborts; then rejects with `ABORTED`. The work behind the promise continues. */
export function whileWaiting<T>(signal: AbortSignalLike | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(
        new WorkflowError("ABORTED", "Waiting was aborted. The run itself goes on; cancel it with run.cancel().", { cause: signal.reason }),
      );
    };
    if (signal.aborted) {
      promise.catch(() => {});
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Continues with a value, at once if it is there: a wave of quick blocks costs no more than a loop. */
export function after<T, U>(value: T | Promise<T>, proceed: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}

/** Calls a function with a signal that aborts as soon as one of several does. */
export async function withAnySignal<T>(
  host: Host,
  signals: readonly (AbortSignalLike | undefined)[],
  act: (signal: AbortSignalLike) => Promise<T>,
): Promise<T> {
  const any = host.newAbortController();
  const abort = (): void => any.abort();
  for (const signal of signals) {
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  }
  try {
    return await act(any.signal);
  } finally {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  }
}
