import type { IDBPDatabase } from "idb";
import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import { compareRows, matchesRow, pageLimit, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import { keysOfRun } from "./schema.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";

/** Records of one request: a request that returns much more stalls the page. */
const RECORDS_A_REQUEST = 500;

/** The head of a run. */
export async function readHead(database: IDBPDatabase<Schema>, run: string): Promise<RunHead | undefined> {
  const transaction = database.transaction(["heads", "journal"]);
  return (await readStored({ heads: transaction.objectStore("heads"), journal: transaction.objectStore("journal") }, run))?.head;
}

/** Entries of a run's journal, in one transaction, so that no commit comes between. */
export async function readEntries(
  database: IDBPDatabase<Schema>,
  run: string,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const transaction = database.transaction(["heads", "journal"]);
  const stores = { heads: transaction.objectStore("heads"), journal: transaction.objectStore("journal") };
  const head = (await readStored(stores, run))?.head;
  const end = Math.min(to, head?.entries ?? 0);
  const found: string[] = [];
  if (head === undefined || from >= end) return found;
  let revision = from === 0 ? 1 : await revisionOf(stores.journal, head, from);
  let at = from === 0 ? 0 : undefined;
  while (at === undefined || at < end) {
    const range = IDBKeyRange.bound([run, revision], [run, head.revision]);
    const records = await stores.journal.getAll(range, Math.min(RECORDS_A_REQUEST, end - (at ?? from)));
    if (records.length === 0) throw damaged(run, at ?? from);
    for (const record of records) {
      at ??= record?.first;
      if (record === null || record.first !== at) throw damaged(run, at ?? from);
      for (const entry of record.entries) {
        if (at >= from && at < end) found.push(entry);
        at += 1;
      }
    }
    revision += records.length;
  }
  return found;
}

/** The newest revision that begins at or before an entry. */
async function revisionOf(
  journal: { get(key: [string, number]): Promise<Schema["journal"]["value"] | undefined> },
  { id, revision }: RunHead,
  entry: number,
): Promise<number> {
  let low = 1;
  let high = revision;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const record = await journal.get([id, middle]);
    if (!record) throw damaged(id, entry);
    if (record.first <= entry) low = middle;
    else high = middle - 1;
  }
  return low;
}

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

function damaged(run: string, entry: number): WorkflowError {
  return new WorkflowError(
    "STORE_DATA_CORRUPT",
    `Entry ${entry} of run ${run} is missing in the database. Delete the run, or restore the site's data.`,
    {
      details: { run, entry },
    },
  );
}
