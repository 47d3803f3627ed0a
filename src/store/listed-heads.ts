import { errorData } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";
import type { DamagedRun, Page, RunQuery } from "../core/ports/store.ts";
import { afterRun, pageLimit } from "./listing.ts";
import { readHead } from "./stored-head.ts";

/** A run as the index of a database lists it. */
export interface ListedRun {
  /** A number, which packages can be told to give as a text. */
  readonly changed_at: unknown;
  readonly id: string;
  readonly head: string;
}

/** Returns a page of the runs found; `found` holds one more than the page shows if there are more. A damaged head does not end the list. */
export function pageOfHeads(found: readonly ListedRun[], query: RunQuery): Page<RunHead> {
  const { shown, last } = cutPage(found, query);
  const items: RunHead[] = [];
  const damaged: DamagedRun[] = [];
  for (const { id, head } of shown) {
    try {
      items.push(readHead(id, head));
    } catch (error) {
      damaged.push({ run: id, error: errorData(error, "STORE_DATA_CORRUPT") });
    }
  }
  return {
    items,
    ...(last && { next: afterRun({ changedAt: Number(last.changed_at), id: last.id }) }),
    ...(damaged.length > 0 && { damaged }),
  };
}

/** Returns the items that a page shows, and the last one shown if there are more. */
export function cutPage<T>(
  found: readonly T[],
  { limit }: { readonly limit?: number },
): { readonly shown: readonly T[]; readonly last?: T } {
  const count = pageLimit(limit);
  const shown = found.slice(0, count);
  return found.length > count ? { shown, last: shown[count - 1]! } : { shown };
}
