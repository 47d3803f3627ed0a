import type * as rest from "./later.ts";

/** What a wizard needs after its first question has been shown. */
export type Later = typeof rest;

let loaded: Later | undefined;
let loading: Promise<Later> | undefined;

/** Loads the rest of the elements: at once, so that it is there when the network goes away, but nobody waits for it. */
export function loadLater(): Promise<Later> {
  loading ??= import("./later.ts").then(
    (later) => (loaded = later),
    (thrown: unknown) => {
      loading = undefined;
      throw thrown;
    },
  );
  return loading;
}

/** The rest of the elements, once it is loaded. */
export function later(): Later | undefined {
  return loaded;
}
