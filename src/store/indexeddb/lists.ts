import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { errorData, isWorkflowError } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import { compareRows, isRow, matchesRow, pageLimit, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import type { RowPlace, RunPlace } from "../listing.ts";
import { beginReading } from "./begin-reading.ts";
import { damaged } from "./damage.ts";
import { findUnreadable } from "./find-unreadable.ts";
import { keysOfRun } from "./schema.ts";
import type { Database, Reading } from "./schema.ts";
import { readStored } from "./tail.ts";
import type { StoredRun } from "./tail.ts";

/** Runs that cannot be read, by id, with the reason. */
type Broken = Map<string, unknown>;

/** A page of heads. Reads the keys of all runs, and heads until the page is full; tells of the damaged ones that it met. */
export function listRuns(database: Database, query: RunQuery): Promise<Page<RunHead>> {
  const after = startOfRuns(query);
  return despiteDamage(database, (broken) => walkRuns(database, query, { after, broken }));
}

/** A page of checkpoint rows. Walks the index from the newest row on; of journals only the tails are read. */
export function listRows(database: Database, query: CheckpointQuery): Promise<Page<CheckpointRow>> {
  const after = startOfRows(query);
  return despiteDamage(database, (broken) => walkRows(database, query, { after, broken }));
}

async function walkRuns(
  database: Database,
  query: RunQuery,
  { after, broken }: { readonly after: RunPlace | undefined; readonly broken: Broken },
): Promise<Page<RunHead>> {
  const transaction = beginReading(database, ["created", "heads", "journal"]);
  const range = after === undefined ? undefined : IDBKeyRange.upperBound([after.createdAt, after.id], true);
  const keys = (await transaction.objectStore("created").getAllKeys(range)).toReversed();
  const wanted = pageLimit(query.limit) + 1;
  const heads: RunHead[] = [];
  for (let first = 0; first < keys.length; first += wanted) {
    const runs = keys.slice(first, first + wanted).map(([, run]) => run);
    const found = await Promise.all(runs.map((run) => readUnlessBroken(transaction, run, broken)));
    for (const [index, stored] of found.entries()) {
      if (stored !== undefined) heads.push(stored.head);
      else if (!broken.has(runs[index]!)) broken.set(runs[index]!, damaged(runs[index]!, "The head"));
    }
    const page = pageOfRuns(heads, query);
    if (page.next !== undefined) return page;
  }
  return pageOfRuns(heads, query);
}

async function walkRows(
  database: Database,
  query: CheckpointQuery,
  { after, broken }: { readonly after: RowPlace | undefined; readonly broken: Broken },
): Promise<Page<CheckpointRow>> {
  const transaction = beginReading(database, ["rows", "tails", "heads", "journal"]);
  const rows = transaction.objectStore("rows");
  const wanted = pageLimit(query.limit) + 1;
  const running = query.run === undefined ? await transaction.objectStore("tails").getAllKeys() : [query.run];
  const tails = await Promise.all(running.map((run) => readUnlessBroken(transaction, run, broken)));
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
    const row = cursor.value;
    const key = keyOfRow(row);
    if (!isRow(row)) broken.set(row.run, damaged(row.run, `Checkpoint ${row.number}`));
    else if (matchesRow(query, row) && !found.has(key)) found.set(key, row);
  }
  return pageOfRows(
    [...found.values()].toSorted((a, b) => compareRows(b, a)),
    query,
  );
}

/** How a run stands; nothing where it is broken, which is noted. A request that fails is the end of the transaction, and is thrown. */
async function readUnlessBroken(transaction: Reading, run: string, broken: Broken): Promise<StoredRun | undefined> {
  if (broken.has(run)) return undefined;
  try {
    return await readStored(transaction, run);
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    broken.set(run, error);
    return undefined;
  }
}

/** Lists, and where a request fails lists again without the runs whose requests fail. */
async function despiteDamage<T>(database: Database, list: (broken: Broken) => Promise<Page<T>>): Promise<Page<T>> {
  const broken: Broken = new Map();
  let page: Page<T>;
  try {
    page = await list(broken);
  } catch (error) {
    for (const [run, reason] of await findUnreadable(database)) broken.set(run, reason);
    if (broken.size === 0) throw error;
    page = await list(broken);
  }
  if (broken.size === 0) return page;
  return { ...page, damaged: [...broken].map(([run, reason]) => ({ run, error: errorData(reason, "STORE_DATA_CORRUPT") })) };
}

function keyOfRow({ run, createdAt, number, kind }: CheckpointRow): string {
  return `${run} ${createdAt} ${number} ${kind}`;
}

function rangeInRun(run: string, after: ReturnType<typeof startOfRows>): IDBKeyRange {
  if (after === undefined) return keysOfRun(run);
  return IDBKeyRange.bound([run], [run, after.createdAt, after.number, after.kind], false, after.run <= run);
}
