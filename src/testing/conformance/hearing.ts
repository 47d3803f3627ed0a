import type { Store } from "../../core/ports/store.ts";

/** The notifications of a watched store. */
export interface Hearing {
  /** Runs that were reported and not yet waited for. */
  readonly heard: readonly (string | undefined)[];
  /** Resolves once a run is reported. */
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
