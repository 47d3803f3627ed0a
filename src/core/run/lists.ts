import type { RunHead } from "../model/run.ts";
import type { RunQuery } from "../ports/store.ts";
import { allPages } from "../journal/journal.ts";
import type { Services } from "./services.ts";

/** What a store has of runs. */
export interface ListedRuns {
  /** Of all that can be read, the one changed longest ago first. */
  readonly heads: readonly RunHead[];
  /** The ids of those that cannot. */
  readonly damaged: ReadonlySet<string>;
}

/** All runs of a store, or those of one workflow. A run that changed meanwhile stands there as it was seen last. */
export async function listHeads({ store }: Pick<Services, "store">, query: RunQuery = {}): Promise<ListedRuns> {
  const heads = new Map<string, RunHead>();
  const damaged = new Set<string>();
  for await (const page of allPages((place) => store.runs({ ...query, ...place, oldestFirst: true }))) {
    for (const head of page.items) heads.set(head.id, head);
    for (const { run } of page.damaged ?? []) damaged.add(run);
  }
  return { heads: [...heads.values()], damaged };
}
