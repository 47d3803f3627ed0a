import type { Store } from "../core/ports/store.ts";

/** The store, which closes with itself the connection that was opened for it alone. */
export function withConnection(store: Store, end: () => void | Promise<void>): Store {
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
