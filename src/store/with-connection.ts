import type { Store } from "../core/ports/store.ts";

/** A store, which closes with itself the connection that was opened for it alone. What makes the store may throw: then the connection is closed at once. */
export async function withConnection(make: () => Store, end: () => void | Promise<void>): Promise<Store> {
  let store: Store;
  try {
    store = make();
  } catch (error) {
    await end();
    throw error;
  }
  let isClosed = false;
  return {
    ...store,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await store.close();
      await end();
    },
  };
}
