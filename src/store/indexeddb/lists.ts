import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { errorData, isWorkflowError } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import {
  type ListedHead,
  type RowPlace,
  type RunPlace,
  compareRows,
  compareRuns,
  matchesRow,
  pageLimit,
  pageOfRows,
  pageOfRuns,
  startOfRows,
  startOfRuns,
  wantedStatuses,
} from "../listing.ts";
import { damaged, errorName } from "./failure.ts";
import { PACK_SPAN_MS, rowsOf } from "./row-packs.ts";
import { type Database, type Reading, keysOf } from "./schema.ts";
import { type StoredRun, readStored } from "./tail.ts";
import { beginReading } from "./transactions.ts";
import { readHead } from "./read-entries.ts";

/** Runs that cannot be read, by id, with the reason. */
type Broken = Map<string, unknown>;

/** A page of heads. Walks the runs in the order of their changes, and reads heads until the page is full; tells of the damaged ones that it met. */
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
  const transaction = beginReading(database, ["listed", "heads", "journal"]);
  const places = placesOfRuns(transaction, query, after);
  const wanted = pageLimit(query.limit) + 1;
  const heads: ListedHead[] = [];
  for (let isMore = true; isMore;) {
    const next: RunPlace[] = [];
    while (isMore && next.length < wanted) {
      const { done, value } = await places.next();
      if (done === true) isMore = false;
      else next.push(value);
    }
    const found = await Promise.all(next.map(({ id }) => readUnlessBroken(transaction, id, broken)));
    for (const [index, stored] of found.entries()) {
      const place = next[index]!;
      if (stored !== undefined) heads.push({ head: stored.head, place });
      else if (!broken.has(place.id)) broken.set(place.id, damaged(place.id, "The head"));
    }
    const page = pageOfRuns(heads, query);
    if (page.next !== undefined) return page;
  }
  return pageOfRuns(heads, query);
}

/** The places of the runs of a list, in its order. The runs of each status stand in the order of their changes: these are merged. */
async function* placesOfRuns(
  transaction: Reading,
  query: RunQuery,
  after: RunPlace | undefined,
): AsyncGenerator<RunPlace, void, undefined> {
  const { workflow, oldestFirst = false } = query;
  const listed = transaction.objectStore("listed");
  const index = workflow === undefined ? listed.index("status") : listed.index("workflow");
  const begun = wantedStatuses(query).map((status) => {
    const prefix = workflow === undefined ? [status] : [workflow, status];
    const place = after && [...prefix, after.changedAt, after.id];
    // A list sorts behind every number.
    const range = IDBKeyRange.bound(
      place !== undefined && oldestFirst ? place : prefix,
      place === undefined || oldestFirst ? [...prefix, []] : place,
      place !== undefined && oldestFirst,
      true,
    );
    return index.openKeyCursor(range, oldestFirst ? "next" : "prev");
  });
  const cursors = await Promise.all(begun);
  for (;;) {
    let first = -1;
    let place: RunPlace | undefined;
    for (const [at, cursor] of cursors.entries()) {
      if (cursor === null) continue;
      const [changedAt, id] = cursor.key.slice(-2) as [number, string];
      const isNext = place === undefined || compareRuns({ changedAt, id }, place) < 0 === oldestFirst;
      if (isNext) [first, place] = [at, { changedAt, id }];
    }
    if (place === undefined) return;
    yield place;
    cursors[first] = await cursors[first]!.continue();
  }
}

async function walkRows(
  database: Database,
  query: CheckpointQuery,
  { after, broken }: { readonly after: RowPlace | undefined; readonly broken: Broken },
): Promise<Page<CheckpointRow>> {
  const transaction = beginReading(database, ["rows", "tails", "heads", "journal"]);
  const wanted = pageLimit(query.limit) + 1;
  const isAsked = (row: CheckpointRow): boolean => matchesRow(query, row) && (after === undefined || compareRows(row, after) < 0);
  const running = query.run === undefined ? await transaction.objectStore("tails").getAllKeys() : [query.run];
  const tails = await Promise.all(running.map((run) => readUnlessBroken(transaction, run, broken)));
  let found = newestRows(tails.flatMap((stored) => stored?.rows ?? []).filter(isAsked), wanted);
  for (let cursor = await openPacks(transaction, query, after); cursor !== null; cursor = await cursor.continue()) {
    const pack = cursor.value;
    const last = found[wanted - 1];
    // What follows is not newer than the newest row of this pack.
    if (last && compareRows(last, { createdAt: pack.newest, run: pack.run, number: Infinity, kind: "wave" }) > 0) break;
    const rows = rowsOf(pack);
    if (rows === undefined)
      broken.set(pack.run, damaged(pack.run, `A part of the checkpoint index, written with commit ${pack.revision},`));
    else found = newestRows([...found, ...rows.filter(isAsked)], wanted);
  }
  return pageOfRows(found, query);
}

/** The packs that may have rows of a page, by their newest rows, newest first. */
function openPacks(transaction: Reading, { run }: CheckpointQuery, after: RowPlace | undefined) {
  const rows = transaction.objectStore("rows");
  const newest = after && after.createdAt + PACK_SPAN_MS;
  if (run === undefined) return rows.index("newest").openCursor(newest === undefined ? null : IDBKeyRange.upperBound([newest, []]), "prev");
  return rows.openCursor(newest === undefined ? keysOf(run) : IDBKeyRange.bound([run], [run, newest, []]), "prev");
}

/** The newest of some rows, newest first; a row that was written twice counts once. */
function newestRows(rows: readonly CheckpointRow[], count: number): readonly CheckpointRow[] {
  const sorted = rows.toSorted((a, b) => compareRows(b, a));
  return sorted.filter((row, i) => i === 0 || compareRows(row, sorted[i - 1]!) !== 0).slice(0, count);
}

/** Reads the state of a run; nothing if it is damaged, which is noted. Throws if a request fails, which ends the transaction. */
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

/** Lists runs. If a request fails, lists again without the runs whose requests fail. */
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

/**
 * Returns the runs whose heads cannot be read, with the reason. Each is read in a separate transaction, since a failed request aborts the whole transaction.
 */
async function findUnreadable(database: Database): Promise<ReadonlyMap<string, unknown>> {
  const broken = new Map<string, unknown>();
  for (const run of await beginReading(database, ["heads"]).objectStore("heads").getAllKeys()) {
    try {
      await readHead(database, run);
    } catch (error) {
      if (errorName(error) === "InvalidStateError") throw error;
      broken.set(run, error);
    }
  }
  return broken;
}
