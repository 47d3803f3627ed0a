import type { CheckpointRow } from "../model/checkpoint.ts";
import { isConflict, WorkflowError } from "../model/errors.ts";
import type { CheckpointQuery } from "../ports/store.ts";
import { assertUnsealed } from "./deletion.ts";
import { checkpointRows } from "../journal/journal.ts";
import type { Services } from "../run/run.ts";
import { groupBy } from "../model/group-by.ts";

/** What makes an automatic checkpoint one too many. */
interface Surplus {
  /** It was made before this instant. */
  readonly before?: number | undefined;
  /** There are as many newer ones of its workflow. */
  readonly maxPerWorkflow?: number | undefined;
  /** Only those of this workflow are looked at. Default: all. */
  readonly workflow?: string | undefined;
}

/** Takes the automatic checkpoints that are too many out of the index. Gives how many. */
export async function dropSurplus(
  services: Services,
  { before = -Infinity, maxPerWorkflow = Infinity, workflow }: Surplus,
): Promise<number> {
  const counts = new Map<string, number>();
  const surplus: CheckpointRow[] = [];
  const query: CheckpointQuery = { kind: "wave", ...(workflow === undefined ? {} : { workflow }) };
  for await (const row of checkpointRows(services, query)) {
    const count = (counts.get(row.workflow) ?? 0) + 1;
    counts.set(row.workflow, count);
    if (count > maxPerWorkflow || row.createdAt < before) surplus.push(row);
  }
  let dropped = 0;
  for (const [run, rows] of groupBy(surplus, ({ run }) => run)) dropped += await dropRows(services, run, rows);
  return dropped;
}

/**
 * Takes rows of a run out of the index; its journal stays, so that what is known by its id still loads. A run that executes keeps them until another
 * time.
 */
async function dropRows({ store }: Services, run: string, rows: readonly CheckpointRow[]): Promise<number> {
  const release = await store.claim(run);
  if (!release) return 0;
  try {
    const head = await store.head(run);
    if (!head) return 0;
    assertUnsealed(head);
    const { revision, epoch } = head;
    await store.commit({
      run,
      expected: { revision, epoch },
      head: { ...head, revision: revision + 1 },
      entries: [],
      forgotten: rows.map(({ kind, number }) => ({ kind, number })),
      durability: "relaxed",
    });
    return rows.length;
  } catch (error) {
    // The run was answered just now.
    if (isConflict(error)) return 0;
    throw error;
  } finally {
    await release();
  }
}

/** See `Executor.checkpoints.trim`. */
export async function trimCheckpoints(services: Services, maxPerWorkflow: number, workflow?: string): Promise<number> {
  if (!Number.isSafeInteger(maxPerWorkflow) || maxPerWorkflow < 0) {
    throw new WorkflowError("POLICY_INVALID", "How many checkpoints of each workflow stay is a whole number from 0.");
  }
  return dropSurplus(services, { maxPerWorkflow, workflow });
}
