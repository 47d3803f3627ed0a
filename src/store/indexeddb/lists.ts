import type { IDBPDatabase } from "idb";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import { compareRows, matchesRow, pageLimit, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";

/** A page of heads. Reads the keys of all runs, and heads until the page is full. */
export async function listRuns(database: IDBPDatabase<Schema>, query: RunQuery): Promise<Page<RunHead>> {
  const after = startOfRuns(query);
  const transaction = database.transaction(["created", "heads", "journal"]);
  const stores = { heads: transaction.objectStore("heads"), journal: transaction.objectStore("journal") };
  const range = after === undefined ? undefined : IDBKeyRange.upperBound([after.createdAt, after.id], true);
  const keys = (await transaction.objectStore("created").getAllKeys(range)).toReversed();
  const wanted = pageLimit(query.limit) + 1;
  const heads: RunHead[] = [];
  for (let first = 0; first < keys.length; first += wanted) {
    const some = keys.slice(first, first + wanted).map(([, run]) => readStored(stores, run));
    for (const stored of await Promise.all(some)) if (stored !== undefined) heads.push(stored.head);
    const page = pageOfRuns(heads, query);
    if (page.next !== undefined) return page;
  }
  return pageOfRuns(heads, query);
}

/** A page of checkpoint rows. Walks the index from the newest row on; of journals only the tails are read. */
export async function listRows(database: IDBPDatabase<Schema>, query: CheckpointQuery): Promise<Page<CheckpointRow>> {
  const after = startOfRows(query);
  const transaction = database.transaction(["rows", "tails", "heads", "journal"]);
  const stores = { heads: transaction.objectStore("heads"), journal: transaction.objectStore("journal") };
  const rows = transaction.objectStore("rows");
  const wanted = pageLimit(query.limit) + 1;
  const running = query.run === undefined ? await transaction.objectStore("tails").getAllKeys() : [query.run];
  const tails = await Promise.all(running.map((run) => readStored(stores, run)));
  /** By key: a row that was written again counts once. */
  const found = new Map<string, CheckpointRow>();
  for (const row of tails.flatMap((stored) => stored?.rows ?? [])) {
    if (matchesRow(query, row) && (after === undefined || compareRows(row, after) < 0)) found.set(keyOfRow(row), row);
  }
  const enough = found.size + wanted;
  let cursor = await (query.run === undefined
    ? rows.index("newest").openCursor(after && IDBKeyRange.upperBound([after.createdAt, after.run, after.number, after.kind], true), "prev")
    : rows.openCursor(rangeInRun(query.run, after), "prev"));
  for (; cursor !== null && found.size < enough; cursor = await cursor.continue()) {
    const key = keyOfRow(cursor.value);
    if (matchesRow(query, cursor.value) && !found.has(key)) found.set(key, cursor.value);
  }
  return pageOfRows(
    [...found.values()].toSorted((a, b) => compareRows(b, a)),
    query,
  );
}

function keyOfRow({ run, createdAt, number, kind }: CheckpointRow): string {
  return `${run} ${createdAt} ${number} ${kind}`;
}

function rangeInRun(run: string, after: ReturnType<typeof startOfRows>): IDBKeyRange {
  if (after === undefined) return keysOfRun(run);
  return IDBKeyRange.bound([run], [run, after.createdAt, after.number, after.kind], false, after.run <= run);
}
