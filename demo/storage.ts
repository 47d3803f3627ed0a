import { isWorkflowError, type Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";

const NAME = "wavepoint-demo";

/** The database of the demo, as each page and each worker opens it. */
export function demoStore(): Store {
  return indexedDbStore({ name: NAME });
}

/**
 * The store of the page: IndexedDB, or memory where the browser gives no durable storage (private mode). Look at `durable` to tell. Where the
 * browser has lost the database, a new one is started once `readyToBeginAnew` resolves: the person knows.
 */
export async function openDemoStore(readyToBeginAnew: () => Promise<void>): Promise<Store> {
  const store = demoStore();
  try {
    // Some private modes offer IndexedDB and refuse its first use.
    await store.runs({ limit: 1 });
    return store;
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    if (thrown.code === "STORE_UNAVAILABLE") return memoryStore();
    if (thrown.code !== "STORE_RESET") throw thrown;
    await store.close();
    await readyToBeginAnew();
    const anew = indexedDbStore({ name: NAME, onReset: "accept" });
    // Now it is there for all who open it after this.
    await anew.runs({ limit: 1 });
    return anew;
  }
}
