import type { Executor } from "../core/run/run.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** Where a page notes that it has asked, and how long it then does not ask again, in milliseconds. */
const ASKED = "wavepoint:asked-to-keep";
const PATIENCE_MS = 30 * 86_400_000;

/** How long to wait for the first answer. */
export interface KeepStorageOptions {
  /** Ends the waiting; then the promise resolves with `false`. */
  readonly signal?: AbortSignal;
}

/**
 * Asks the browser to keep what the site stores (`navigator.storage.persist()`): after the first answer, when there is something to lose, and not again for
 * 30 days. Resolves with whether the browser keeps it; with `false` where it cannot promise that, or does not say.
 */
export async function keepStorage(executor: Executor, options: KeepStorageOptions = {}): Promise<boolean> {
  assertOptions("keepStorage", options, { signal: true });
  const { signal } = options;
  const storage = globalThis.navigator?.storage as StorageManager | undefined;
  if (!storage?.persist) return false;
  // Pages without an origin of their own are refused, by an error.
  if (await storage.persisted().catch(() => false)) return true;
  if (hasAsked() || !(await firstAnswer(executor, signal))) return false;
  noteAsked();
  return storage.persist().catch(() => false);
}

/** Resolves once some run has an answer; with `false` where the signal aborts first. */
function firstAnswer(executor: Executor, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isAnswered: boolean): void => {
      leave();
      signal?.removeEventListener("abort", abort);
      resolve(isAnswered);
    };
    const abort = (): void => end(false);
    const leave = executor.runs.watch((id) => {
      if (id === undefined) return;
      executor.open(id).then(
        (run) => run.getSnapshot().progress.answered > 0 && end(true),
        // It may be deleted by now.
        () => {},
      );
    });
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  });
}

function hasAsked(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(ASKED)) < PATIENCE_MS;
  } catch {
    // A page that may not keep this may keep nothing else either.
    return true;
  }
}

function noteAsked(): void {
  try {
    localStorage.setItem(ASKED, String(Date.now()));
  } catch {
    // No room: it may be asked once more.
  }
}
