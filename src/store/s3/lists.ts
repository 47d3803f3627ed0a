import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { errorData } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, DamagedRun, Page, RunQuery } from "../../core/ports/store.ts";
import {
  afterRun,
  compareRows,
  compareRuns,
  matchesRun,
  pageLimit,
  pageOfRows,
  type RunPlace,
  type RunTraits,
  startOfRows,
  startOfRuns,
  traitsOf,
} from "../listing.ts";
import { type Bucket, sideBySide } from "./bucket.ts";
import type { Journals } from "./journal.ts";
import { behind, isPlaceOf, type ListedPlace, type Order, readPlace } from "./places.ts";

/** A run of a list with its place: its head, or its error. */
type Found = { readonly place: RunPlace } & ({ readonly head: RunHead } | { readonly damaged: DamagedRun });

/** Reads a page of runs: keys until the page is full, and the newest object of each run shown. */
export async function listRuns(bucket: Bucket, journals: Journals, query: RunQuery): Promise<Page<RunHead>> {
  const order = query.oldestFirst === true ? "oldest" : "newest";
  const compare = (a: RunPlace, b: RunPlace): number => (order === "oldest" ? compareRuns(a, b) : compareRuns(b, a));
  const start = startOfRuns(query);
  const limit = pageLimit(query.limit);
  const found = new Map<string, Found>();
  // Their keys may have passed, or not have been there yet: a run that moves after the keys were read is in the list once, as all others.
  const moved = new Map<string, Found>();
  for await (const places of placesIn(bucket, order, start && behind(order, start))) {
    const wanted = places.filter((listed) => matchesRun(query, listed));
    for (let from = 0; from < wanted.length && found.size <= limit;) {
      const some = wanted.slice(from, (from += limit + 1 - found.size));
      for (const one of await sideBySide(some, (listed) => look(journals, listed))) {
        if (!one) continue;
        const { id } = one.found.place;
        if (one.isThere) found.set(id, one.found);
        else if (matchesRun(query, one.now) && (start === undefined || compare(one.found.place, start) > 0)) moved.set(id, one.found);
      }
    }
    if (found.size > limit) break;
  }
  const all = [...new Map([...moved, ...found]).values()].toSorted((a, b) => compare(a.place, b.place));
  const shown = all.slice(0, limit);
  const damaged = shown.flatMap((one) => ("damaged" in one ? [one.damaged] : []));
  return {
    items: shown.flatMap((one) => ("head" in one ? [one.head] : [])),
    ...(all.length > limit && { next: afterRun(shown.at(-1)!.place) }),
    ...(damaged.length > 0 && { damaged }),
  };
}

/** What a key of a list leads to: the run, and whether it stands there, or moved since the key was read. */
type Looked = { readonly found: Found } & ({ readonly isThere: true } | { readonly isThere: false; readonly now: RunTraits });

/** Nothing if the run no longer exists, or does not exist yet. */
async function look(journals: Journals, listed: ListedPlace): Promise<Looked | undefined> {
  const run = listed.place.id;
  try {
    const { link } = (await journals.standing(run)) ?? {};
    if (!link) return undefined;
    const { head } = link;
    const found = { place: { changedAt: head.changedAt, id: run }, head };
    return isPlaceOf(listed, link) ? { found, isThere: true } : { found, isThere: false, now: traitsOf(head) };
  } catch (error) {
    return { found: { place: listed.place, damaged: { run, error: errorData(error, "STORE_DATA_CORRUPT") } }, isThere: true };
  }
}

/** A page of rows. Those of one run are in its journal; for those of all runs, all of them are opened. */
export async function listRows(bucket: Bucket, journals: Journals, query: CheckpointQuery): Promise<Page<CheckpointRow>> {
  const start = startOfRows(query);
  pageLimit(query.limit);
  const runs = query.run === undefined ? await runsIn(bucket) : new Set([query.run]);
  const rows = (await sideBySide([...runs], journals.rows)).flat();
  const listed = rows.filter((row) => start === undefined || compareRows(row, start) < 0).toSorted((a, b) => compareRows(b, a));
  return pageOfRows(listed, query);
}

/** The ids of all runs that are listed. */
export async function runsIn(bucket: Bucket): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  for await (const places of placesIn(bucket, "oldest")) for (const { place } of places) runs.add(place.id);
  return runs;
}

async function* placesIn(bucket: Bucket, order: Order, after?: string): AsyncGenerator<readonly ListedPlace[], void, undefined> {
  for await (const { objects } of bucket.pages(`${order}/`, after)) yield objects.map(({ key }) => readPlace(key));
}
