import { errorData, isWorkflowError, type ErrorData } from "../core/model/errors.ts";
import { isRecord } from "../core/model/value.ts";
import type { Store } from "../core/ports/store.ts";

/** Whether and where the runs of a page are kept, for the page to show. */
export interface StorageState {
  /**
   * `kept`: runs outlive the page, the browser and the sleep of the machine. `session only`: they are gone with this page. `degraded`: they should be kept,
   * but something fails; `error` says what.
   */
  readonly kept: "kept" | "session only" | "degraded";
  /** The kind of the store: "indexeddb", "memory". */
  readonly where: string;
  /** Whether the browser has promised to keep them when room is short; see `keepStorage`. */
  readonly persisted: boolean;
  /** What the whole site uses, and may use; absent where the browser does not say. */
  readonly usageBytes?: number;
  readonly quotaBytes?: number;
  readonly error?: ErrorData;
  /** All of that as a sentence, in English. */
  readonly message: string;
}

/** Follows the state of the storage. */
export interface StorageWatch {
  /** The latest state: the same object until something changes. */
  getSnapshot(): StorageState;
  /** Calls the listener after each change. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Asks the store and the browser again. */
  refresh(): Promise<StorageState>;
  /**
   * Reports the error of a call or of a view. If it comes from the store, the state is `degraded` until something is stored again. Stores that report
   * failures to their watchers, IndexedDB above all, need no such call.
   */
  report(error: unknown): void;
  /** Ends the listening. */
  dispose(): void;
}

/** Codes that say nothing about the place where runs are kept. */
const OF_CALLERS: ReadonlySet<string> = new Set(["STORE_CONFLICT", "STORE_KEY_INVALID", "STORE_DATA_CORRUPT"]);

/**
 * Follows whether and where the runs in a store are kept, for the page to show. Begins with what the store says of itself; `refresh` asks the browser too.
 * Listens to writes and failures in this page, its workers and other tabs, and asks again when the page becomes visible.
 */
export function storageState(store: Store): StorageWatch {
  const listeners = new Set<() => void>();
  let error: ErrorData | undefined;
  let facts: Facts = { persisted: false };
  let state = describe(store, facts, error);
  const leave = store.watch?.((run) => {
    if (run !== undefined) change(facts, undefined);
    else void refresh();
  }, report);

  return {
    getSnapshot: () => state,
    subscribe(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    refresh,
    report,
    dispose() {
      leave?.();
      listeners.clear();
    },
  };

  function report(thrown: unknown): void {
    const code = isRecord(thrown) ? String(thrown["code"]) : "";
    if (!code.startsWith("STORE_") || OF_CALLERS.has(code)) return;
    change(facts, isWorkflowError(thrown) ? errorData(thrown, "STORE_FAILED") : (thrown as ErrorData));
  }

  async function refresh(): Promise<StorageState> {
    const found = await askBrowser();
    try {
      await store.usage();
      // That it can be read does not mean that there is room again.
      change(found, error?.code === "STORE_QUOTA" ? error : undefined);
    } catch (thrown) {
      change(found, errorData(thrown, "STORE_FAILED"));
    }
    return state;
  }

  function change(found: Facts, problem: ErrorData | undefined): void {
    facts = found;
    error = problem;
    const next = describe(store, facts, error);
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    for (const listener of listeners) listener();
  }
}

/** What the browser says of all that the site keeps. */
type Facts = Pick<StorageState, "persisted" | "usageBytes" | "quotaBytes">;

async function askBrowser(): Promise<Facts> {
  // Only secure pages have it.
  const storage = globalThis.navigator?.storage as StorageManager | undefined;
  const [persisted, estimate] = await Promise.all([
    storage?.persisted?.().catch(() => false) ?? false,
    storage?.estimate?.().catch(() => undefined),
  ]);
  return {
    persisted,
    ...(estimate?.usage === undefined ? {} : { usageBytes: estimate.usage }),
    ...(estimate?.quota === undefined ? {} : { quotaBytes: estimate.quota }),
  };
}

function describe({ durable, kind }: Store, facts: Facts, error: ErrorData | undefined): StorageState {
  const kept = durable ? (error ? "degraded" : "kept") : "session only";
  return { kept, where: kind, ...facts, ...(error ? { error } : {}), message: sentence(kept, facts, error) };
}

function sentence(kept: StorageState["kept"], { persisted }: Facts, error: ErrorData | undefined): string {
  if (kept === "session only") return "Nothing is kept: what is entered here is gone when this page is closed.";
  if (error) return `What is entered now may not be kept. ${error.message}`;
  return persisted
    ? "What is entered is kept in this browser until it is deleted here."
    : "What is entered is kept in this browser. The browser may delete it when room on the device is short.";
}
