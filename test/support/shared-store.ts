import { WorkflowError, type Store } from "wavepoint";

/** Several views of one store in memory, as tabs have of a database: each is closed by itself. */
export function sharedStore(store: Store): () => Store {
  return () => {
    let closed = false;
    const assertOpen = (): void => {
      if (closed) throw new WorkflowError("STORE_CLOSED", "The view is closed.");
    };
    return new Proxy(store, {
      get(target, name: keyof Store) {
        const member = target[name];
        if (name === "close") return async () => void (closed = true);
        if (typeof member !== "function" || name === "watch") return member;
        return async (...parts: never[]) => {
          assertOpen();
          return (member as (...given: never[]) => unknown)(...parts);
        };
      },
    });
  };
}
