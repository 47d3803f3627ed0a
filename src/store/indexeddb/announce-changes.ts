import { type ErrorData, errorData } from "../../core/model/errors.ts";

/** Time within which the changes after a first one are reported together, in milliseconds. */
const TOGETHER_MS = 25;

/** Tells of changed runs, and hears of them. */
export interface ChangeTeller {
  /** A run was changed through this store. `now`: not only when others that follow can be told along with it. */
  tell(run: string, now?: boolean): void;
  /** A call to this store was refused. Errors of the caller itself are not reported to others. */
  tellFailure(thrown: unknown): void;
  watch(changed: (run?: string) => void, failed?: (error: ErrorData) => void): () => void;
  /** Runs were changed through another store. */
  hear(runs: readonly unknown[]): void;
  /** A call to another store was refused. */
  hearFailure(error: ErrorData): void;
  close(): void;
}

/** Notifies other stores by `post`, and the watchers of this one. */
export function changeTeller(post: ((message: PeerMessage) => void) | undefined): ChangeTeller {
  const watchers = new Set<(run?: string) => void>();
  const failureWatchers = new Set<(error: ErrorData) => void>();
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let toldAt = -Infinity;
  let stopLooking: (() => void) | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (changed.size === 0) return;
    const runs = [...changed];
    changed.clear();
    toldAt = performance.now();
    post?.({ changed: runs });
    hear(runs);
  }

  function hear(runs: readonly unknown[]): void {
    for (const run of runs) if (typeof run === "string") for (const changed of watchers) changed(run);
  }

  function hearFailure(error: ErrorData): void {
    for (const failed of failureWatchers) failed(error);
  }

  return {
    hear,
    hearFailure,
    tellFailure(thrown) {
      const error = errorData(thrown, "STORE_FAILED");
      if (error.code === "STORE_CONFLICT" || error.code === "STORE_CLOSED") return;
      // Report earlier changes first.
      flush();
      post?.({ failed: error });
      hearFailure(error);
    },
    tell(run, now = false) {
      changed.add(run);
      const wait = now ? 0 : toldAt + TOGETHER_MS - performance.now();
      // Timers of hidden pages fire late, so changes that can be sent at once do not wait for one.
      if (wait <= 0) flush();
      else timer ??= setTimeout(flush, wait);
    },
    watch(changed, failed) {
      const own = (run?: string): void => changed(run);
      const ownFailed = (error: ErrorData): void => failed?.(error);
      watchers.add(own);
      failureWatchers.add(ownFailed);
      stopLooking ??= onSeenAgain(() => watchers.forEach((watcher) => watcher()));
      return () => {
        watchers.delete(own);
        failureWatchers.delete(ownFailed);
        if (watchers.size > 0) return;
        stopLooking?.();
        stopLooking = undefined;
      };
    },
    close() {
      flush();
      watchers.clear();
      failureWatchers.clear();
      stopLooking?.();
    },
  };
}

/** Notifies when the page is visible again, or comes back from the browser's cache of pages: it may have been frozen. */
function onSeenAgain(tell: () => void): () => void {
  if (!("document" in globalThis)) return () => {};
  const look = (event: Event): void => {
    if (event.type === "visibilitychange" ? document.visibilityState === "visible" : (event as PageTransitionEvent).persisted) tell();
  };
  document.addEventListener("visibilitychange", look);
  globalThis.addEventListener("pageshow", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    globalThis.removeEventListener("pageshow", look);
  };
}

/** What stores of one database say to each other, across tabs, workers and copies in the same page. */
export type PeerMessage =
  /** A call failed, by no fault of the caller. */
  | { readonly failed: ErrorData }
  /** These runs were changed. */
  | { readonly changed: readonly string[] }
  /** Is the holder of this run alive? */
  | { readonly asks: string }
  /** It is: this one holds it. */
  | { readonly holds: string };
