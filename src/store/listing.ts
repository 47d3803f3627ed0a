import type { CheckpointRow } from "../core/model/checkpoint.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey, isName, isStoreKey } from "../core/model/ids.ts";
import type { RunHead } from "../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../core/ports/store.ts";

/** Most items of one page. */
const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;

/** The place of a run in the order of heads. */
export type RunPlace = Pick<RunHead, "createdAt" | "id">;

/** The place of a row in the checkpoint index. */
export type RowPlace = Pick<CheckpointRow, "createdAt" | "run" | "number" | "kind">;

/** Ascending order of heads: by time of creation, then by id. */
export function compareRuns(a: RunPlace, b: RunPlace): number {
  return a.createdAt - b.createdAt || compareText(a.id, b.id);
}

/** Ascending order of checkpoint rows: by time, run, number; a pause comes before the wave of the same number. */
export function compareRows(a: RowPlace, b: RowPlace): number {
  return a.createdAt - b.createdAt || compareText(a.run, b.run) || a.number - b.number || compareText(a.kind, b.kind);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a head is one the query asks for. */
function matchesRun(query: RunQuery, head: RunHead): boolean {
  return (
    (query.workflow === undefined || head.workflow === query.workflow) &&
    (query.status === undefined || head.status === query.status) &&
    (query.topLevel !== true || head.parent === undefined)
  );
}

/** Whether a row is one the query asks for. */
export function matchesRow(query: CheckpointQuery, row: CheckpointRow): boolean {
  return (
    (query.run === undefined || row.run === query.run) &&
    (query.workflow === undefined || row.workflow === query.workflow) &&
    (query.kind === undefined || row.kind === query.kind)
  );
}

/** Whether what a store found in its index is a row. */
export function isRow(value: CheckpointRow): boolean {
  const { run, workflow, kind, number, createdAt, entries } = value;
  return (
    isStoreKey(run) &&
    typeof workflow === "string" &&
    (kind === "wave" || kind === "pause") &&
    [number, createdAt, entries].every((count) => typeof count === "number")
  );
}

/** The size of the page a query asks for. Throws `STORE_QUERY_INVALID` outside 1 to 1,000. */
export function pageLimit(limit: number = DEFAULT_PAGE): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE) return limit;
  throw new WorkflowError("STORE_QUERY_INVALID", `A page has 1 to ${MAX_PAGE} items, not ${String(limit)}. Ask for the rest with "after".`);
}

/**
 * Checks a query of heads and gives where its page goes on; nothing for the first page. Throws `STORE_KEY_INVALID` for a filter that is no
 * key, `STORE_QUERY_INVALID` for an `after` that no page gave as `next`.
 */
export function startOfRuns(query: RunQuery): RunPlace | undefined {
  const { after } = query;
  if (query.workflow !== undefined) assertWorkflowKey(query.workflow);
  pageLimit(query.limit);
  if (after === undefined) return undefined;
  const [createdAt, id, ...more] = after.split(" ");
  if (!isInstant(createdAt) || !isStoreKey(id) || more.length > 0) throw unknownPlace(after);
  return { createdAt: Number(createdAt), id };
}

/** Checks a query of checkpoint rows and gives where its page goes on; as {@link startOfRuns}. */
export function startOfRows(query: CheckpointQuery): RowPlace | undefined {
  const { after } = query;
  if (query.run !== undefined) assertStoreKey(query.run, "The run id");
  if (query.workflow !== undefined) assertWorkflowKey(query.workflow);
  pageLimit(query.limit);
  if (after === undefined) return undefined;
  const [createdAt, run, number, kind, ...more] = after.split(" ");
  if (!isInstant(createdAt) || !isStoreKey(run) || !isInstant(number) || more.length > 0) throw unknownPlace(after);
  if (kind !== "wave" && kind !== "pause") throw unknownPlace(after);
  return { createdAt: Number(createdAt), run, number: Number(number), kind };
}

function assertWorkflowKey(workflow: unknown): void {
  if (!isName(workflow)) assertStoreKey(workflow, "The workflow name");
}

function isInstant(text: string | undefined): boolean {
  return text !== undefined && /^-?\d{1,17}(\.\d+)?$/.test(text);
}

function unknownPlace(after: string): WorkflowError {
  return new WorkflowError(
    "STORE_QUERY_INVALID",
    `${JSON.stringify(after.slice(0, 200))} is no place in this list. Give "after" the "next" of a page.`,
  );
}

/** The first page of the heads a walk gives, in its order. */
export function pageOfRuns(walk: Iterable<RunHead>, query: RunQuery): Page<RunHead> {
  return page(
    walk,
    (head) => matchesRun(query, head),
    pageLimit(query.limit),
    (head) => `${head.createdAt} ${head.id}`,
  );
}

/** The first page of the rows a walk gives, in its order. */
export function pageOfRows(walk: Iterable<CheckpointRow>, query: CheckpointQuery): Page<CheckpointRow> {
  return page(
    walk,
    (row) => matchesRow(query, row),
    pageLimit(query.limit),
    (row) => `${row.createdAt} ${row.run} ${row.number} ${row.kind}`,
  );
}

function page<T>(walk: Iterable<T>, matches: (item: T) => boolean, limit: number, place: (item: T) => string): Page<T> {
  const items: T[] = [];
  for (const item of walk) {
    if (!matches(item)) continue;
    if (items.length === limit) return { items, next: place(items[limit - 1]!) };
    items.push(item);
  }
  return { items };
}
