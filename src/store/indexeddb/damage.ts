import { WorkflowError } from "../../core/model/errors.ts";

/** The error of a run of which something cannot be read. */
export function damaged(run: string, what: string): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `${what} of run ${run} is missing from the database or damaged. Delete the run, or restore the site's data.`,
    { details: { run } },
  );
}
