import { isWorkflowError, type Store } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";

/** The store of the page: IndexedDB, or memory where the browser gives no durable storage (private mode). Look at `durable` to tell. */
export async function openDemoStore(): Promise<Store> {
  try {
    const store = indexedDbStore({ name: "wavepoint-demo" });
    // Some private modes offer IndexedDB and refuse its first use.
    await store.runs({ limit: 1 });
    return store;
  } catch (thrown) {
    if (isWorkflowError(thrown) && thrown.code === "STORE_UNAVAILABLE") return memoryStore();
    throw thrown;
  }
}
