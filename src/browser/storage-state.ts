import { errorData, isWorkflowError, type ErrorData } from "../core/model/errors.ts";
import { isRecord } from "../core/model/value.ts";
import type { Store } from "../core/ports/store.ts";

/** What of a page's runs is kept, in a form that can be shown. */
export interface StorageState {
  /**
   * `kept`: it outlives the page, the browser and the machine's sleep. `session only`: it is gone with this page. `degraded`: it should be
   * kept, and something is in the way; `error` says what.
   */
  readonly kept: "kept" | "session only" | "degraded";
  /** The kind of the store: "indexeddb", "memory". */
  readonly where: string;
  /** Whether the browser has promised not to throw it away when room is short; see `keepStorage`. */
  readonly persisted: boolean;
  /** What all of the site takes, and may take; absent where the browser does not say. */
  readonly usageBytes?: number;
  readonly quotaBytes?: number;
  readonly error?: ErrorData;
  /** All of that as a sentence, in English. */
  readonly message: string;
}

/** Follows what is kept. */
export interface StorageWatch {
  /** As it was found last: the same object until something changes. */
  getSnapshot(): StorageState;
  /** Calls the listener after each change. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Asks the store and the browser again. */
  refresh(): Promise<StorageState>;
  /**
   * Takes note of what a call threw, or of the error of a view: where it comes from the store, what is kept is `degraded` until something is stored
   * again. Stores that tell those who watch them of failures, IndexedDB above all, need no such help.
   */
  report(error: unknown): void;
  /** Ends the listening. */
  dispose(): void;
}

/** Codes that say nothing about the place where runs are kept. */
const OF_CALLERS: ReadonlySet<string> = new Set(["STORE_CONFLICT", "STORE_KEY_INVALID", "STORE_DATA_CORRUPT"]);

/**
 * Says what of the runs in a store is kept and where, for the page to show. Begins with what the store says of itself; `refresh` asks the browser
 * too. Listens to what is stored and what could not be, in this page, its workers and other tabs, and asks again when the page is seen again.
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
