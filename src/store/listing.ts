import { CHECKPOINT_KINDS, type CheckpointKind, type CheckpointRow } from "../core/model/checkpoint.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey, isName, isStoreKey } from "../core/model/ids.ts";
import { RUN_STATUSES } from "../core/model/run.ts";
import type { RunHead, RunStatus } from "../core/model/run.ts";
import { refuseSearch } from "../core/model/search.ts";
import type { CheckpointQuery, Page, RunQuery } from "../core/ports/store.ts";

/** Most items of one page. */
const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;

/** The place of a run in the order of heads. */
export type RunPlace = Pick<RunHead, "changedAt" | "id">;

/** The place of a row in the checkpoint index. */
export type RowPlace = Pick<CheckpointRow, "createdAt" | "run" | "number" | "kind">;

/** Ascending order of heads: by the time of their last change, then by id. */
export function compareRuns(a: RunPlace, b: RunPlace): number {
  return a.changedAt - b.changedAt || compareText(a.id, b.id);
}

/** Ascending order of checkpoint rows: by time, run, number; a pause comes before the wave of the same number. */
export function compareRows(a: RowPlace, b: RowPlace): number {
  return a.createdAt - b.createdAt || compareText(a.run, b.run) || a.number - b.number || compareText(a.kind, b.kind);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The members of a run by which a query can filter. */
export interface RunTraits {
  readonly workflow: string;
  readonly status: RunStatus;
  /** Whether another run called it. */
  readonly isCalled: boolean;
}

/** The traits of a run with this head. */
export function traitsOf({ workflow, status, parent }: RunHead): RunTraits {
  return { workflow, status, isCalled: parent !== undefined };
}

/** Whether a run is one the query asks for. */
export function matchesRun(query: RunQuery, run: RunTraits): boolean {
  return (
    (query.workflow === undefined || run.workflow === query.workflow) &&
    (query.status === undefined || query.status === run.status || (Array.isArray(query.status) && query.status.includes(run.status))) &&
    (query.topLevel !== true || !run.isCalled)
  );
}

/** Returns the statuses that a query asks for: all of them if it names none. */
export function wantedStatuses({ status = RUN_STATUSES }: RunQuery): readonly RunStatus[] {
  return typeof status === "string" ? [status] : [...new Set(status)];
}

/** Whether a row is one the query asks for. */
export function matchesRow(query: CheckpointQuery, row: CheckpointRow): boolean {
  return (
    (query.run === undefined || row.run === query.run) &&
    (query.workflow === undefined || row.workflow === query.workflow) &&
    (query.kind === undefined || row.kind === query.kind)
  );
}

function isKind(kind: unknown): kind is CheckpointKind {
  return CHECKPOINT_KINDS.includes(kind as CheckpointKind);
}

/** One number for a row among those of its run. */
export function rowKey({ kind, number }: Pick<CheckpointRow, "kind" | "number">): number {
  return number * CHECKPOINT_KINDS.length + CHECKPOINT_KINDS.indexOf(kind);
}

/** Whether a value from a store's index is a row. */
export function isRow(value: CheckpointRow): boolean {
  const { run, workflow, kind, number, createdAt, entries } = value;
  return (
    isStoreKey(run) &&
    typeof workflow === "string" &&
    isKind(kind) &&
    [number, createdAt, entries].every((count) => typeof count === "number")
  );
}

/** The size of the page a query asks for. Throws `STORE_QUERY_INVALID` outside 1 to 1,000. */
export function pageLimit(limit: number = DEFAULT_PAGE): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE) return limit;
  throw new WorkflowError("STORE_QUERY_INVALID", `A page has 1 to ${MAX_PAGE} items, not ${String(limit)}. Ask for the rest with "after".`);
}

/**
 * Checks a query of heads and returns where its page begins; nothing for the first page. Throws `STORE_KEY_INVALID` for a filter that is no key. Throws
 * `STORE_QUERY_INVALID` for a status that no run can have, for `where` (a store that searches removes it first), and for an `after` that no page returned as
 * `next`.
 */
export function startOfRuns(query: RunQuery): RunPlace | undefined {
  const { after } = query;
  if (query.workflow !== undefined) assertWorkflowKey(query.workflow);
  refuseSearch(query.where, "it has no index of them");
  for (const status of wantedStatuses(query)) assertStatus(status);
  pageLimit(query.limit);
  if (after === undefined) return undefined;
  const [changedAt, id, ...more] = after.split(" ");
  if (!isInstant(changedAt) || !isStoreKey(id) || more.length > 0) throw unknownPlace(after);
  return { changedAt: Number(changedAt), id };
}

function assertStatus(status: RunStatus): void {
  if (RUN_STATUSES.includes(status)) return;
  throw new WorkflowError("STORE_QUERY_INVALID", `No run has the status ${JSON.stringify(status)}. Use ${RUN_STATUSES.join(", ")}.`);
}

/** Checks a query of checkpoint rows and returns where its page begins, like {@link startOfRuns}. */
export function startOfRows(query: CheckpointQuery): RowPlace | undefined {
  const { after } = query;
  if (query.run !== undefined) assertStoreKey(query.run, "The run id");
  if (query.workflow !== undefined) assertWorkflowKey(query.workflow);
  pageLimit(query.limit);
  if (after === undefined) return undefined;
  const [createdAt, run, number, kind, ...more] = after.split(" ");
  if (!isInstant(createdAt) || !isStoreKey(run) || !isInstant(number) || more.length > 0) throw unknownPlace(after);
  if (!isKind(kind)) throw unknownPlace(after);
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

/** A head, and its place in the list: a run that has changed since the list began keeps the one it had. */
export interface ListedHead {
  readonly head: RunHead;
  readonly place: RunPlace;
}

/** The first page of the heads a walk gives, in its order. */
export function pageOfRuns(walk: Iterable<ListedHead>, query: RunQuery): Page<RunHead> {
  const { items, next } = page(
    walk,
    ({ head }) => matchesRun(query, traitsOf(head)),
    pageLimit(query.limit),
    ({ place }) => afterRun(place),
  );
  return { items: items.map(({ head }) => head), ...(next !== undefined && { next }) };
}

/** The first page of the rows a walk gives, in its order. */
export function pageOfRows(walk: Iterable<CheckpointRow>, query: CheckpointQuery): Page<CheckpointRow> {
  return page(walk, (row) => matchesRow(query, row), pageLimit(query.limit), afterRow);
}

/** The `next` of a page whose last run stands at a place. */
export function afterRun({ changedAt, id }: RunPlace): string {
  return `${changedAt} ${id}`;
}

/** The `next` of a page whose last row stands at a place. */
export function afterRow({ createdAt, run, number, kind }: RowPlace): string {
  return `${createdAt} ${run} ${number} ${kind}`;
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
