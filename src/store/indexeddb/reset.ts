import { WorkflowError } from "../../core/model/errors.ts";
import { change } from "./change.ts";
import type { Database } from "./schema.ts";

/**
 * Decides about a database that is not the one the mark tells of: takes it for that one, if the page accepts the loss, else throws
 * `STORE_RESET`. The mark stays as it is, since a browser that is killed may forget a change to it.
 */
export async function settleReset(
  database: Database,
  { mark, onReset }: { readonly mark: string; readonly onReset: "fail" | "accept" },
): Promise<void> {
  if (onReset === "accept") {
    return change(database, ["meta"], "strict", async (transaction, changes) =>
      changes.add(transaction.objectStore("meta").put(mark, "id")),
    );
  }
  throw new WorkflowError(
    "STORE_RESET",
    `Runs were kept in the database ${JSON.stringify(database.name)}, and another one is in its place: the browser lost it, or it was deleted. Tell people, then open the store with onReset: "accept" to begin anew.`,
    { details: { database: database.name } },
  );
}
