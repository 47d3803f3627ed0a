import type { AbortSignalLike, Host } from "../ports/host.ts";

/** Does something with a signal that aborts as soon as one of several does. */
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
