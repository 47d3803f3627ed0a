import { WorkflowError } from "../../core/model/errors.ts";
import { change } from "./transactions.ts";
import type { Database } from "./schema.ts";

/*
 * A mark outside the database, in the page's localStorage, says which database something was committed to. A browser that loses or throws
 * away its databases keeps that, and an empty database in place of the lost one is noticed. Where there is no localStorage (workers)
 * none is set, until a page lists what is in the database. The mark is written once and stays: it may be lost, but never be wrong.
 */

/** Which database the mark tells of, if there is one. */
export function readMark(name: string): string | undefined {
  try {
    return localStorage.getItem(`wavepoint:${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Sets the mark, if possible. */
export function writeMark(name: string, id: string): void {
  try {
    localStorage.setItem(`wavepoint:${name}`, id);
  } catch {
    // No localStorage here, or no room.
  }
}

/**
 * Decides about a database that is not the one of the mark: accepts it if the page accepts the loss, else throws `STORE_RESET`. Leaves the mark as it is,
 * since a killed browser may lose a change to it.
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
