import { WorkflowError } from "../../core/model/errors.ts";
import { errorName } from "./failure.ts";

/** Why a database is not opened at all: there is none here, or another connection holds it up. */
export type Refusal = "unavailable" | "held up";

/** The error of a database that did not open: `STORE_UNAVAILABLE`, `STORE_BLOCKED` or `STORE_FAILED`; else what was thrown. */
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
