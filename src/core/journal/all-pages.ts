import type { CheckpointQuery, Page, RunQuery } from "../ports/store.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
import type { RunHead } from "../model/run.ts";
import type { JournalParts } from "./journal-parts.ts";

/** Items of one page. */
const PAGE = 1_000;

/** All pages of a list, one after another. */
export async function* allPages<T>(
  read: (place: { readonly limit: number; readonly after?: string }) => Promise<Page<T>>,
): AsyncGenerator<Page<T>, void, undefined> {
  for (let after: string | undefined; ;) {
    const page = await read({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield page;
    after = page.next;
    if (after === undefined) return;
  }
}

/** The rows of the checkpoint index, newest first. */
export async function* checkpointRows(
  { store }: Pick<JournalParts, "store">,
  query: CheckpointQuery = {},
): AsyncGenerator<CheckpointRow, void, undefined> {
  for await (const { items } of allPages((place) => store.checkpoints({ ...query, ...place }))) yield* items;
}

/** What a store has of runs. */
export interface ListedRuns {
  /** Of all that can be read, the one changed longest ago first. */
  readonly heads: readonly RunHead[];
  /** The ids of those that cannot. */
  readonly damaged: ReadonlySet<string>;
}

/** All runs of a store, or those of one workflow. A run that changed meanwhile stands there as it was seen last. */
export async function listHeads({ store }: Pick<JournalParts, "store">, query: RunQuery = {}): Promise<ListedRuns> {
  const heads = new Map<string, RunHead>();
  const damaged = new Set<string>();
  for await (const page of allPages((place) => store.runs({ ...query, ...place, oldestFirst: true }))) {
    for (const head of page.items) heads.set(head.id, head);
    for (const { run } of page.damaged ?? []) damaged.add(run);
  }
  return { heads: [...heads.values()], damaged };
}
