import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import { errorData } from "../../core/model/errors.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, DamagedRun, Page, RunQuery } from "../../core/ports/store.ts";
import { afterRun, compareRows, matchesRun, pageLimit, pageOfRows, startOfRows, startOfRuns } from "../listing.ts";
import { type Bucket, sideBySide } from "./bucket.ts";
import type { Journals } from "./journal.ts";
import { behind, isPlaceOf, type ListedPlace, type Order, readPlace } from "./places.ts";

/** A run that a list came by: its head, or what is wrong with it. */
type Found = { readonly listed: ListedPlace } & ({ readonly head: RunHead } | { readonly damaged: DamagedRun });

/** A page of runs: their keys are read until it is full, and of those that it shows the newest object. */
export async function listRuns(bucket: Bucket, journals: Journals, query: RunQuery): Promise<Page<RunHead>> {
  const order = query.oldestFirst === true ? "oldest" : "newest";
  const start = startOfRuns(query);
  const limit = pageLimit(query.limit);
  const found: Found[] = [];
  for await (const places of placesIn(bucket, order, start && behind(order, start))) {
    const wanted = places.filter((listed) => matchesRun(query, listed));
    for (let from = 0; from < wanted.length && found.length <= limit;) {
      const some = wanted.slice(from, (from += limit + 1 - found.length));
      const looked = await sideBySide(some, (listed) => look(journals, listed));
      found.push(...looked.filter((one) => one !== undefined));
    }
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const damaged = shown.flatMap((one) => ("damaged" in one ? [one.damaged] : []));
  return {
    items: shown.flatMap((one) => ("head" in one ? [one.head] : [])),
    ...(found.length > limit && { next: afterRun(shown.at(-1)!.listed.place) }),
    ...(damaged.length > 0 && { damaged }),
  };
}

/** Nothing where the run is not there any more, or not yet. */
async function look(journals: Journals, listed: ListedPlace): Promise<Found | undefined> {
  const run = listed.place.id;
  try {
    const standing = await journals.standing(run);
    return standing && isPlaceOf(listed, standing.link) ? { listed, head: standing.link.head } : undefined;
  } catch (error) {
    return { listed, damaged: { run, error: errorData(error, "STORE_DATA_CORRUPT") } };
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
