import type { RunHead } from "../model/run.ts";
import type { Page, RunQuery } from "../ports/store.ts";
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

/** The next page with runs of a conversation, among those that meet the rest of the query. */
export async function listConversation(
  { store }: Pick<Services, "store">,
  { workflow, status, topLevel, limit, after }: RunQuery,
  conversation: string,
): Promise<Page<RunHead>> {
  const query: RunQuery = {
    ...(workflow === undefined ? {} : { workflow }),
    ...(status === undefined ? {} : { status }),
    ...(topLevel === undefined ? {} : { topLevel }),
    ...(limit === undefined ? {} : { limit }),
  };
  for (let place = after; ;) {
    const page = await store.runs(place === undefined ? query : { ...query, after: place });
    const items = page.items.filter(({ id, previous }) => id === conversation || previous?.conversation === conversation);
    if (items.length > 0 || page.next === undefined) return { ...page, items };
    place = page.next;
  }
}
