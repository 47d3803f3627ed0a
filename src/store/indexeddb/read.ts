import type { IDBPDatabase } from "idb";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import { matchesRow, pageLimit, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";

/** Records of one request: a request that returns much more stalls the page. */
const RECORDS_A_REQUEST = 500;

/** Entries of a run's journal, in one transaction, so that no commit comes between. */
export async function readEntries(
  database: IDBPDatabase<Schema>,
  run: string,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const transaction = database.transaction(["heads", "journal"]);
  const journal = transaction.objectStore("journal");
  const [stored, first] = await Promise.all([
    transaction.objectStore("heads").get(run),
    from === 0 ? undefined : journal.openKeyCursor(IDBKeyRange.bound([run], [run, from]), "prev"),
  ]);
  const end = Math.min(to, stored?.head.entries ?? 0);
  const found: string[] = [];
  let at = first?.key[1] ?? 0;
  while (at < end) {
    const range = IDBKeyRange.bound([run, at], [run, end], false, true);
    const [keys, records] = await Promise.all([journal.getAllKeys(range, RECORDS_A_REQUEST), journal.getAll(range, RECORDS_A_REQUEST)]);
    if (records.length === 0) throw damaged(run, at);
    for (const [index, record] of records.entries()) {
      if (keys[index]![1] !== at) throw damaged(run, at);
      for (const entry of typeof record === "string" ? [record] : record) {
        if (at >= from && at < end) found.push(entry);
        at += 1;
      }
    }
  }
  return found;
}

/** A page of heads. Reads the keys of all runs, and heads until the page is full. */
export async function listRuns(database: IDBPDatabase<Schema>, query: RunQuery): Promise<Page<RunHead>> {
  const after = startOfRuns(query);
  const transaction = database.transaction(["created", "heads"]);
  const range = after === undefined ? undefined : IDBKeyRange.upperBound([after.createdAt, after.id], true);
  const keys = (await transaction.objectStore("created").getAllKeys(range)).reverse();
  const wanted = pageLimit(query.limit) + 1;
  const heads: RunHead[] = [];
  for (let first = 0; first < keys.length; first += wanted) {
    const some = keys.slice(first, first + wanted).map(([, run]) => transaction.objectStore("heads").get(run));
    for (const stored of await Promise.all(some)) if (stored !== undefined) heads.push(stored.head);
    const page = pageOfRuns(heads, query);
    if (page.next !== undefined) return page;
  }
  return pageOfRuns(heads, query);
}

/** A page of checkpoint rows. Walks the index from the newest row on; journals are not touched. */
export async function listRows(database: IDBPDatabase<Schema>, query: CheckpointQuery): Promise<Page<CheckpointRow>> {
  const after = startOfRows(query);
  const rows = database.transaction("rows").objectStore("rows");
  const wanted = pageLimit(query.limit) + 1;
  const found: CheckpointRow[] = [];
  let cursor = await (query.run === undefined
    ? rows.index("newest").openCursor(after && IDBKeyRange.upperBound([after.createdAt, after.run, after.number, after.kind], true), "prev")
    : rows.openCursor(rangeInRun(query.run, after), "prev"));
  for (; cursor !== null && found.length < wanted; cursor = await cursor.continue()) {
    if (matchesRow(query, cursor.value)) found.push(cursor.value);
  }
  return pageOfRows(found, query);
}

function rangeInRun(run: string, after: ReturnType<typeof startOfRows>): IDBKeyRange {
  if (after === undefined) return keysOfRun(run);
  return IDBKeyRange.bound([run], [run, after.createdAt, after.number, after.kind], false, after.run <= run);
}

function damaged(run: string, entry: number): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `Entry ${entry} of run ${run} is missing in the database. Delete the run, or restore the site's data.`,
    {
      details: { run, entry },
    },
  );
}
