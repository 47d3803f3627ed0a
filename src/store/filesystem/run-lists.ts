import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Disk } from "../../core/ports/disk.ts";
import type { CheckpointQuery, DamagedRun, Page, RunQuery } from "../../core/ports/store.ts";
import { compareRows, compareRuns, pageLimit, pageOfRows, pageOfRuns, startOfRows, startOfRuns } from "../listing.ts";
import type { ListedHead, RowPlace, RunPlace } from "../listing.ts";
import { pathIn } from "./disk.ts";
import { fileFailure } from "./failure.ts";
import { mergeDescending } from "./merge.ts";
import type { LazyWalk } from "./merge.ts";
import { fileName } from "./names.ts";
import { isCurrent, standsAt } from "./run-entry.ts";
import type { RunEntry } from "./run-entry.ts";
import { listedRun } from "./run-index.ts";
import type { ListedRun, RunIndex } from "./run-index.ts";
import type { RunState } from "./run-state.ts";

/** The lists of a store. */
export interface RunLists {
  runs(query: RunQuery): Promise<Page<RunHead>>;
  checkpoints(query: CheckpointQuery): Promise<Page<CheckpointRow>>;
}

/** What {@link runLists} works on. */
export interface RunListsOptions {
  readonly disk: Disk;
  readonly index: RunIndex;
  /** Reads the state of a run; `entry` is its known entry. Throws if it cannot be read. */
  load(run: string, entry?: RunEntry): RunState;
}

/** A list of rows that another page may follow. */
interface RowWalk {
  readonly query: string;
  /** Where the next page begins. */
  next: string | undefined;
  readonly rows: KeptWalk<CheckpointRow>;
  /** By run: as it stood when the list began. */
  readonly runs: ReadonlyMap<string, ListedRun>;
  /** Whether runs stood so when their rows were begun, since the page before. */
  readonly begun: Map<string, boolean>;
  /** Runs that could not be read, since the page before. */
  readonly damaged: Map<string, unknown>;
}

/** Returns the lists over an index. They read all that they show: the index only says which runs to read and which to skip. */
export function runLists({ disk, index, load }: RunListsOptions): RunLists {
  let last: RowWalk | undefined;

  function directoryOf({ entry, shard }: ListedRun): string {
    return pathIn(shard.directory, fileName(entry.id));
  }

  function isSame(run: ListedRun): boolean {
    return isCurrent(disk, directoryOf(run), run.entry);
  }

  async function listRuns(query: RunQuery, after: RunPlace | undefined): Promise<Page<RunHead>> {
    await index.refresh();
    const wanted = pageLimit(query.limit) + 1;
    const found: ListedHead[] = [];
    const damaged = damagedOnFirst(after === undefined);
    for (let last = after; found.length < wanted;) {
      const runs = index.runs(query, { after: last, count: wanted - found.length });
      for (const run of runs) {
        await index.rest();
        const head = headOf(run, damaged);
        if (head !== undefined) found.push({ head, place: run });
      }
      last = runs.at(-1);
      if (last === undefined) break;
    }
    return withDamaged(pageOfRuns(found, query), damaged);
  }

  /** Reads the head of a run; nothing if it is gone or cannot be read. The index reads a run again if it has changed. */
  function headOf({ entry, shard }: ListedRun, damaged: Map<string, unknown>): RunHead | undefined {
    let head: RunHead | undefined;
    try {
      head = load(entry.id, entry).head;
    } catch (error) {
      damaged.set(entry.id, error);
    }
    const isKnown = head !== undefined && head.status === entry.status && compareRuns(head, entry) === 0;
    if (!isKnown) shard.settle(entry.id);
    return head;
  }

  /** Walks the rows of all runs from the newest on, and opens a run only when one of its rows may be next. */
  async function beginRows(after: RowPlace | undefined): Promise<Omit<RowWalk, "query" | "next">> {
    await index.refresh();
    const damaged = damagedOnFirst(after === undefined);
    const walks: LazyWalk<CheckpointRow, RowPlace>[] = [];
    const begun = new Map<string, boolean>();
    const runs = new Map<string, ListedRun>();
    for (const listed of index.runs({})) {
      const now = listed.entry.status === "running" ? lookAgain(listed, damaged) : listed;
      if (now?.entry.newestRow === undefined) continue;
      const { entry } = now;
      runs.set(entry.id, now);
      walks.push({
        bound: { createdAt: entry.newestRow!, run: entry.id, number: Infinity, kind: "wave" },
        begin: () => rowsOf(entry.id, damaged, { after, listed: { entry, begun } }),
      });
    }
    // Each is reported once, with the first page.
    if (after !== undefined) damaged.clear();
    return { rows: keptWalk(mergeDescending(walks, compareRows)), runs, begun, damaged };
  }

  /** A run that executes gets new rows without a note of it. */
  function lookAgain(run: ListedRun, damaged: Map<string, unknown>): ListedRun | undefined {
    if (isSame(run)) return run;
    const { shard, entry } = run;
    shard.settle(entry.id);
    const error = shard.damaged.get(entry.id);
    if (error !== undefined) damaged.set(entry.id, error);
    const now = shard.entry(entry.id);
    return now && listedRun(now, shard);
  }

  /** Reads the rows of a run, as far as possible: a lost part of a long index may show only after many rows. */
  function* rowsOf(
    run: string,
    damaged: Map<string, unknown>,
    {
      after,
      listed,
    }: { readonly after: RowPlace | undefined; readonly listed?: { readonly entry: RunEntry; begun: Map<string, boolean> } },
  ): Generator<CheckpointRow, void, undefined> {
    try {
      const state = load(run, listed?.entry);
      listed?.begun.set(run, standsAt(state, listed.entry));
      yield* state.rows.descending(after);
    } catch (error) {
      damaged.set(run, error);
    }
  }

  /** Returns the next page of the latest list, if the runs on the page have not changed. */
  function nextPage(query: CheckpointQuery, filter: string): Page<CheckpointRow> | undefined {
    const walk = last;
    if (walk === undefined || walk.query !== filter || walk.next === undefined || walk.next !== query.after) return undefined;
    last = undefined;
    walk.damaged.clear();
    walk.begun.clear();
    const page = pageOfRows(walk.rows, query);
    const runs = new Set(page.items.map(({ run }) => run));
    if (![...runs].every((run) => walk.begun.get(run) ?? isSame(walk.runs.get(run)!))) return undefined;
    walk.next = page.next;
    if (page.next !== undefined) last = walk;
    return withDamaged(page, walk.damaged);
  }

  function damagedOnFirst(isFirst: boolean): Map<string, unknown> {
    const damaged = new Map<string, unknown>();
    if (isFirst) for (const shard of index.shards) for (const [run, error] of shard.damaged) damaged.set(run, error);
    return damaged;
  }

  return {
    async runs(query) {
      const after = startOfRuns(query);
      return listRuns(query, after);
    },
    async checkpoints(query) {
      const after = startOfRows(query);
      if (query.run !== undefined) {
        const damaged = new Map<string, unknown>();
        const rows = rowsOf(query.run, damaged, { after });
        return withDamaged(pageOfRows(rows, query), damaged);
      }
      const filter = JSON.stringify([query.workflow, query.kind]);
      const next = nextPage(query, filter);
      if (next !== undefined) return next;
      const walk = await beginRows(after);
      const page = pageOfRows(walk.rows, query);
      last = page.next === undefined ? undefined : { ...walk, query: filter, next: page.next };
      return withDamaged(page, walk.damaged);
    },
  };
}

/** A walk that may be left and gone on with; then it begins with the item it gave last. */
interface KeptWalk<T> {
  [Symbol.iterator](): Iterator<T>;
}

function keptWalk<T>(walk: Iterator<T>): KeptWalk<T> {
  let given: IteratorResult<T> | undefined;
  return {
    [Symbol.iterator]() {
      let again = given;
      return {
        next() {
          if (again === undefined) given = walk.next();
          const result = again ?? given!;
          again = undefined;
          return result;
        },
      };
    },
  };
}

/** Returns a page with the runs that could not be read, if there are any. */
function withDamaged<T>(page: Page<T>, damaged: ReadonlyMap<string, unknown>): Page<T> {
  if (damaged.size === 0) return page;
  const list = [...damaged].map(([run, error]): DamagedRun => ({ run, error: fileFailure(error, `Reading run ${run}`).toJSON() }));
  return { ...page, damaged: list };
}
