import type { RunHead } from "../../model/run.ts";
import type { Services } from "../services.ts";

/** What a store has of runs. */
export interface ListedRuns {
  /** Of all that can be read, newest first. */
  readonly heads: readonly RunHead[];
  /** The ids of those that cannot. */
  readonly damaged: ReadonlySet<string>;
}

/** All runs of a store. */
export async function listHeads({ store }: Pick<Services, "store">): Promise<ListedRuns> {
  const heads: RunHead[] = [];
  const damaged = new Set<string>();
  for (let after: string | undefined; ;) {
    const page = await store.runs({ limit: 1_000, ...(after === undefined ? {} : { after }) });
    for (const head of page.items) heads.push(head);
    for (const { run } of page.damaged ?? []) damaged.add(run);
    after = page.next;
    if (after === undefined) return { heads, damaged };
  }
}
