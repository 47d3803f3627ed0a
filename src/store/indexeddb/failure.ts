import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

/** Names of errors after which the connection is gone or in doubt. WebKit and Chromium both lose connections of living pages. */
const LOST: ReadonlySet<string> = new Set(["InvalidStateError", "UnknownError", "AbortError", "TransactionInactiveError", "TimeoutError"]);

/** Whether trying again on a new connection may help. */
export function isLost(thrown: unknown): boolean {
  return LOST.has(errorName(thrown));
}

/** The error of a failed database operation: `STORE_QUOTA`, `STORE_LOST` or `STORE_FAILED`. A `WorkflowError` stays what it is. */
export function databaseFailure(thrown: unknown): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  if (errorName(thrown) === "QuotaExceededError") {
    return new WorkflowError(
      "STORE_QUOTA",
      "The browser gives this site no more room. Delete runs that are no longer needed and try again; what was stored before is unharmed.",
      { cause: thrown },
    );
  }
  if (isLost(thrown)) {
    return new WorkflowError(
      "STORE_LOST",
      "The connection to the database was lost, and opening it again did not help. Reload the page and read the run again.",
      {
        cause: thrown,
      },
    );
  }
  return new WorkflowError("STORE_FAILED", `The database refused: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
    cause: thrown,
  });
}

/** The name the platform gave an error, for example "QuotaExceededError". */
export function errorName(thrown: unknown): string {
  return typeof thrown === "object" && thrown !== null && "name" in thrown ? String(thrown.name) : "";
}
