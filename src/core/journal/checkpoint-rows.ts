import type { CheckpointRow } from "../model/checkpoint.ts";
import type { CheckpointQuery } from "../ports/store.ts";
import { allPages } from "./all-pages.ts";
import type { JournalParts } from "./journal-parts.ts";

/** The rows of the checkpoint index, newest first. */
export async function* checkpointRows(
  { store }: Pick<JournalParts, "store">,
  query: CheckpointQuery = {},
): AsyncGenerator<CheckpointRow, void, undefined> {
  for await (const { items } of allPages((place) => store.checkpoints({ ...query, ...place }))) yield* items;
}
