import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

const NO_ROOM: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Returns the error of a failed file operation: `STORE_QUOTA` if the disk is full, else `STORE_FAILED`. A `WorkflowError` stays as it is. */
export function fileFailure(thrown: unknown, doing: string): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  if (NO_ROOM.has(errorCode(thrown))) {
    return new WorkflowError(
      "STORE_QUOTA",
      `The disk is full: ${doing} failed. Make room and try again; what was stored before is unharmed.`,
      { cause: thrown },
    );
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new WorkflowError(
    "STORE_FAILED",
    `${doing} failed: ${reason}. Read the run again before going on: this write may or may not have happened.`,
    {
      cause: thrown,
    },
  );
}

/** The code the platform gave an error, for example "ENOENT". */
export function errorCode(thrown: unknown): unknown {
  // Under Jest, what Node throws is no `Error` of the module that catches it.
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
}

/** The error of a journal whose bytes were damaged. */
export function damaged(run: string, what: string): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `The journal of run ${run} is damaged: ${what}. Its files were left as they are: restore them from a copy, or delete the run.`,
    { details: { run } },
  );
}
