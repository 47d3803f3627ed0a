import type { RunHead } from "../model/run.ts";
import type { RunQuery } from "../ports/store.ts";
import { allPages } from "./all-pages.ts";
import type { Services } from "./services.ts";

/** What a store has of runs. */
export interface ListedRuns {
  /** Of all that can be read, newest first. */
  readonly heads: readonly RunHead[];
  /** The ids of those that cannot. */
  readonly damaged: ReadonlySet<string>;
}

/** All runs of a store, or those of one workflow. */
export async function listHeads({ store }: Pick<Services, "store">, query: RunQuery = {}): Promise<ListedRuns> {
  const heads: RunHead[] = [];
  const damaged = new Set<string>();
  for await (const page of allPages((place) => store.runs({ ...query, ...place }))) {
    for (const head of page.items) heads.push(head);
    for (const { run } of page.damaged ?? []) damaged.add(run);
  }
  return { heads, damaged };
}
