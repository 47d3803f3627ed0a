import type { CheckpointQuery, Page } from "../ports/store.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
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
