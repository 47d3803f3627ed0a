import type { Store } from "../../core/ports/store.ts";

/** What somebody hears who watches a store. */
export interface Hearing {
  /** Runs that were heard of and not yet waited for. */
  readonly heard: readonly (string | undefined)[];
  /** Resolves once a run is heard of. */
  of(run: string): Promise<void>;
  end(): void;
}

/** Watches a store that hears of others. */
export function hearingOf(store: Store): Hearing {
  const heard: (string | undefined)[] = [];
  let wake = (): void => {};
  const end = store.watch!((run) => {
    heard.push(run);
    wake();
  });
  return {
    heard,
    async of(run) {
      while (!heard.includes(run)) await new Promise<void>((resolve) => (wake = resolve));
      heard.length = 0;
    },
    end,
  };
}
