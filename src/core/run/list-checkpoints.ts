import type { CheckpointSummary } from "../model/checkpoint.ts";
import { fullRunId } from "../model/ids.ts";
import type { Page, Store } from "../ports/store.ts";
import { summarize } from "../journal/journal.ts";
import type { CheckpointListQuery } from "./api.ts";

/** See `Executor.checkpoints.list`. */
export async function listCheckpoints(store: Store, { run, ...query }: CheckpointListQuery): Promise<Page<CheckpointSummary>> {
  const { items, ...rest } = await store.checkpoints(run === undefined ? query : { ...query, run: fullRunId(run) });
  return { ...rest, items: items.map(summarize) };
}
