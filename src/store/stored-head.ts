import { WorkflowError } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";

/** The head that a row of runs keeps. Throws `STORE_DATA_CORRUPT` where it is none. */
export function readHead(run: string, text: string): RunHead {
  try {
    const head = JSON.parse(text) as RunHead | null;
    if (head?.id === run) return head;
  } catch {
    // Said below, with what to do.
  }
  throw damaged(run, "the head is not the one that was written");
}

/** The error of a run whose rows are not what was written. */
export function damaged(run: string, what: string): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `The rows of run ${run} are damaged: ${what}. They were left as they are: restore the database from a copy, or delete the run.`,
    { details: { run } },
  );
}
