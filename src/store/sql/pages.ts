import type { SearchValues } from "../../core/model/run.ts";
import { assertSearch } from "../../core/model/search.ts";
import { CHECKPOINT_KINDS, type CheckpointKind, type CheckpointRow } from "../../core/model/checkpoint.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import { cutPage } from "../listed-heads.ts";
import { afterRow, pageLimit, startOfRows, startOfRuns, wantedStatuses } from "../listing.ts";

/** What a placeholder of a query stands for. */
type Given = string | number;

/** A query in the SQL that SQLite and Postgres share, and what its placeholders stand for. */
export interface Select {
  readonly text: string;
  readonly values: readonly Given[];
}

/** How a database writes the placeholder of the value with a number, from 1. */
export type Placeholder = (number: number) => string;

/**
 * Returns a query for the heads of a page of runs, and one more if there is one: `changed_at`, `id`, `head`. Each status, of called runs and of others, is a
 * range of an index in the order of the list, so a page reads no more than it shows. A search for values uses the index of the first value, and checks each
 * run there for the others. Throws the errors of the port for invalid queries.
 */
export function selectRuns({ where = {}, ...query }: RunQuery, placeholder: Placeholder, head = "head"): Select {
  assertSearch(where);
  const after = startOfRuns(query);
  const { values, place } = collector(placeholder);
  const [first, ...more] = searchRows(where);
  const limit = (): string => `limit ${place(pageLimit(query.limit) + 1)}`;
  const [order, behind] = query.oldestFirst === true ? ["changed_at, id", ">"] : ["changed_at desc, id desc", "<"];
  const stretches = wantedStatuses(query).flatMap((status) =>
    (query.topLevel === true ? [0] : [0, 1]).map((called) => {
      const conditions = [
        ...(first ? [`name = ${place(first.name)}`, `value = ${place(first.value)}`] : []),
        ...(query.workflow === undefined ? [] : [`workflow = ${place(query.workflow)}`]),
        `status = ${place(status)}`,
        `called = ${called}`,
        ...(after === undefined ? [] : [`(changed_at, id) ${behind} (${place(after.changedAt)}, ${place(after.id)})`]),
        // A yes or no, looked up by the run: Postgres takes it for true of half the rows, so it walks the index and stops when the page is full.
        ...more.map(
          ({ name, value }) => `(select o.value = ${place(value)} from wavepoint_search o where o.id = l.id and o.name = ${place(name)})`,
        ),
      ];
      return `select * from (select changed_at, id from ${first ? "wavepoint_search" : "wavepoint_runs"} l where ${conditions.join(" and ")} order by ${order} ${limit()}) as s`;
    }),
  );
  const union = unionOf(stretches, "select changed_at, id from wavepoint_runs");
  // A head is asked for by the id of its run, so that every plan reads those of this page alone.
  const text = `select changed_at, id, (select ${head} from wavepoint_runs r where r.id = listed.id) as head from (${union}) as listed order by ${order} ${limit()}`;
  return { text, values };
}

/** A value by which a run is found, as a row keeps it. */
export interface SearchRow {
  readonly name: string;
  /** As JSON: `1` is another one than `"1"`. */
  readonly value: string;
}

/** The values by which a run is found, in the order in which they were given. */
export function searchRows(search: SearchValues = {}): readonly SearchRow[] {
  return Object.entries(search).map(([name, value]) => ({ name, value: JSON.stringify(value) }));
}

/** Returns a query for the rows of a page of the checkpoint index, and one more if there is one; like {@link selectRuns}, with a range for each kind. */
export function selectRows(query: CheckpointQuery, placeholder: Placeholder): Select {
  const after = startOfRows(query);
  const { values, place } = collector(placeholder);
  const limit = (): string => `limit ${place(pageLimit(query.limit) + 1)}`;
  const stretches = CHECKPOINT_KINDS.filter((kind) => query.kind === undefined || query.kind === kind).map((kind) => {
    const conditions = [
      ...(query.run === undefined ? [] : [`run = ${place(query.run)}`]),
      ...(query.workflow === undefined ? [] : [`workflow = ${place(query.workflow)}`]),
      `kind = ${place(kind)}`,
      // Of rows that differ only in their kind, the one whose kind comes later in the alphabet stands first.
      ...(after === undefined
        ? []
        : [
            `(created_at, run, number) ${kind < after.kind ? "<=" : "<"} (${place(after.createdAt)}, ${place(after.run)}, ${place(after.number)})`,
          ]),
    ];
    return `select * from (select * from wavepoint_checkpoints where ${conditions.join(" and ")} order by created_at desc, run desc, number desc ${limit()}) as s`;
  });
  const union = unionOf(stretches, "select * from wavepoint_checkpoints");
  const text = `select * from (${union}) as listed order by created_at desc, run desc, number desc, kind desc ${limit()}`;
  return { text, values };
}

/** A row that {@link selectRows} gave. Packages can be told to give numbers as texts or as `bigint`. */
export interface ListedRow {
  readonly run: string;
  readonly kind: CheckpointKind;
  readonly number: unknown;
  readonly workflow: string;
  readonly created_at: unknown;
  readonly entries: unknown;
  readonly sealed: string | null;
}

/** The page of what {@link selectRows} gave. */
export function pageOfCheckpoints(found: readonly ListedRow[], query: CheckpointQuery): Page<CheckpointRow> {
  const { shown, last } = cutPage(found, query);
  const items = shown.map(readRow);
  return { items, ...(last && { next: afterRow(readRow(last)) }) };
}

function readRow({ run, kind, number, workflow, created_at, entries, sealed }: ListedRow): CheckpointRow {
  return {
    run,
    workflow,
    kind,
    number: Number(number),
    createdAt: Number(created_at),
    entries: Number(entries),
    ...(sealed !== null && { sealed }),
  };
}

/** All of some stretches; of none, nothing. */
function unionOf(stretches: readonly string[], all: string): string {
  return stretches.length > 0 ? stretches.join(" union all ") : `${all} where 1 = 0`;
}

function collector(placeholder: Placeholder): { readonly values: readonly Given[]; place(value: Given): string } {
  const values: Given[] = [];
  return { values, place: (value) => placeholder(values.push(value)) };
}
