import type { CheckpointRow } from "../model/checkpoint.ts";
import { isConflict, WorkflowError } from "../model/errors.ts";
import type { CheckpointQuery } from "../ports/store.ts";
import { assertUnsealed } from "./assert-unsealed.ts";
import { checkpointRows } from "../journal/journal.ts";
import type { Services } from "../run/run.ts";
import { groupBy } from "../model/group-by.ts";

const AUTOMATIC: CheckpointQuery = { kind: "wave" };

/** The automatic checkpoints made before an instant. */
export async function expiredRows(services: Services, before: number): Promise<readonly CheckpointRow[]> {
  const expired: CheckpointRow[] = [];
  for await (const row of checkpointRows(services, AUTOMATIC)) if (row.createdAt < before) expired.push(row);
  return expired;
}

/** Those beyond the newest of each workflow, or of one. */
export async function surplusRows(services: Services, maxPerWorkflow: number, workflow?: string): Promise<readonly CheckpointRow[]> {
  const counts = new Map<string, number>();
  const surplus: CheckpointRow[] = [];
  const query = workflow === undefined ? AUTOMATIC : { ...AUTOMATIC, workflow };
  for await (const row of checkpointRows(services, query)) {
    const count = (counts.get(row.workflow) ?? 0) + 1;
    counts.set(row.workflow, count);
    if (count > maxPerWorkflow) surplus.push(row);
  }
  return surplus;
}

/**
 * Takes rows out of the index; the journals stay, so that what is known by its id still loads. Runs that execute keep theirs until another time.
 * Gives how many rows went.
 */
export async function dropRows(services: Services, rows: readonly CheckpointRow[]): Promise<number> {
  let dropped = 0;
  for (const [run, own] of groupBy(rows, ({ run }) => run)) dropped += await dropRowsOf(services, run, own);
  return dropped;
}

async function dropRowsOf({ store }: Services, run: string, rows: readonly CheckpointRow[]): Promise<number> {
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
  return dropRows(services, await surplusRows(services, maxPerWorkflow, workflow));
}
