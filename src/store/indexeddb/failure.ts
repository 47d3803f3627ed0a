import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

/** Names of errors after which the connection is gone or in doubt. WebKit and Chromium both lose connections of living pages. */
const LOST: ReadonlySet<string> = new Set(["InvalidStateError", "UnknownError", "AbortError", "TransactionInactiveError", "TimeoutError"]);

/** Whether trying again on a new connection may help. */
export function isLost(thrown: unknown): boolean {
  return LOST.has(errorName(thrown));
}

/** Returns the error of a failed database operation: `STORE_QUOTA`, `STORE_LOST` or `STORE_FAILED`. A `WorkflowError` stays as it is. */
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

/** The error of a run that cannot be read completely. */
export function damaged(run: string, what: string): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `${what} of run ${run} is missing from the database or damaged. Delete the run, or restore the site's data.`,
    { details: { run } },
  );
}

/** Why a database is not opened at all: there is none here, or another connection holds it up. */
export type Refusal = "unavailable" | "held up";

/** Returns the error of a database that did not open: `STORE_UNAVAILABLE`, `STORE_BLOCKED` or `STORE_FAILED`; else the thrown error. */
export function openFailure(database: string, thrown: unknown): unknown {
  const refusal = thrown instanceof Error ? thrown.message : undefined;
  if (refusal === ("held up" satisfies Refusal)) {
    return new WorkflowError(
      "STORE_BLOCKED",
      `The database ${JSON.stringify(database)} does not open: another tab keeps an older form of it, or the browser still waits for a tab or worker that is gone. Close the other tabs of this site and try again; where that does not help, restart the browser. What was stored is unharmed.`,
      { details: { database } },
    );
  }
  const name = errorName(thrown);
  if (name === "VersionError") {
    return new WorkflowError("STORE_FAILED", "A newer version of this page has changed the database. Reload the page.", { cause: thrown });
  }
  if (refusal !== ("unavailable" satisfies Refusal) && name !== "SecurityError" && name !== "InvalidStateError") return thrown;
  return new WorkflowError(
    "STORE_UNAVAILABLE",
    "There is no IndexedDB here: this is Node, or a private window, or the site may keep no data. Use memoryStore() and tell people that nothing is kept, or filesystemStore() in Node.",
    { cause: thrown },
  );
}
