import { WorkflowError } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";

/**
 * Reads the head in a row of runs. Behind it may follow the changes of later commits, as `[revision, entries, updatedAt]`; they count if they are later.
 * Throws `STORE_DATA_CORRUPT` if there is no head.
 */
export function readHead(run: string, text: string): RunHead {
  try {
    const end = text.lastIndexOf("}") + 1;
    const head = JSON.parse(text.slice(0, end)) as RunHead | null;
    if (head?.id === run) return end < text.length ? continuedHead(head, text.slice(end)) : head;
  } catch {
    // Said below, with what to do.
  }
  throw damaged(run, "the head is not the one that was written");
}

function continuedHead(head: RunHead, continuation: string): RunHead {
  const [revision, entries, updatedAt] = JSON.parse(continuation) as [revision: number, entries: number, updatedAt: number];
  return revision > head.revision ? { ...head, revision, entries, updatedAt } : head;
}

/** The error of a run whose rows were changed or lost. */
export function damaged(run: string, what: string): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `The rows of run ${run} are damaged: ${what}. They were left as they are: restore the database from a copy, or delete the run.`,
    { details: { run } },
  );
}
